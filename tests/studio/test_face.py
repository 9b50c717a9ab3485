"""The page's face without a browser: colours, texts, icons, and what node's runner computes."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from falldamage_forge import studio
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.games.fall_damage.engine.codes import CAUSES, EVENTS, NAMES
from falldamage_forge.games.fall_damage.play.move_value import KINDS
from falldamage_forge.render.baked_meshes import encode_vertices
from falldamage_forge.studio.element_page import MODULE, elements_module, with_icons
from tests.amount import EXHAUSTIVE
from tests.cli import running
from tests.house.test_layers import lines_without_docstrings

PAGE = Path(studio.__file__).with_name("page")
PARTS = ("strength", "boost", "height")
"""Parts of an Attack's damage in a forecast."""
MARKUP = (PAGE / "index.html").read_text("utf-8")
SYMBOLS = with_icons((PAGE / "icons.svg").read_bytes()).decode()
TOOLS = {tool.name: tool for element in ELEMENTS.values() for tool in element.tools}
"""Tools of elements by name."""
TEXT_PAIRS = [
    *product(("ink", "soft"), ("paper", "panel", "lift", "ground")),
    *product(("accent", "ok", "bad", "mind", "red", "blue"), ("panel", "lift")),
    ("on", "accent"), ("accent", "tint"), ("ink", "tint"), ("ok", "ok-ground"),
    ("bad", "bad-ground"), ("mind", "mind-ground"), ("red", "red-ground"), ("blue", "blue-ground"),
]  # fmt: skip
"""Colours of texts, and the grounds that they stand on."""
LEAST_TEXT, LEAST_BOUND = 4.5, 3.0
"""Least contrasts of WCAG 2.2 for texts (AA) and for the bounds of controls."""


def themes() -> Iterator[dict[str, str]]:
    """The colours of each theme by name."""
    for block in (PAGE / "tokens.css").read_text("utf-8").split(":root")[1:3]:
        yield dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", block))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    lights = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return sum(k * v for k, v in zip((0.2126, 0.7152, 0.0722), lights, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def scripts() -> dict[str, str]:
    paths = sorted([*PAGE.glob("*.js"), *PAGE.glob("site/*.js")])
    return {f"{path.relative_to(PAGE)}": path.read_text("utf-8") for path in paths}


def keys(language: str) -> set[str]:
    """The names of the texts of a language."""
    found = (PAGE / f"{language}.js").read_text("utf-8")
    return set(re.findall(r'(?m)(?:^| )"?([\w-]+)"?: "', found))


def test_every_theme_can_be_read() -> None:
    light, dark = themes()
    assert light.keys() == dark.keys()
    for theme in (light, dark):
        for text, ground in TEXT_PAIRS:
            assert contrast(theme[text], theme[ground]) >= LEAST_TEXT, (text, ground)
        for ground in ("paper", "panel", "lift"):
            assert contrast(theme["edge"], theme[ground]) >= LEAST_BOUND, ground


def test_styles_name_only_colours_that_are_declared() -> None:
    declared = set(re.findall(r"(--[\w-]+):", (PAGE / "tokens.css").read_text("utf-8")))
    for path in PAGE.glob("*.css"):
        used = set(re.findall(r"var\((--[\w-]+)\)", path.read_text("utf-8")))
        assert used <= declared, path.name


def test_no_text_of_the_page_lacks_a_key() -> None:
    body = MARKUP.partition("<body>")[2]
    words = {text.strip() for text in re.findall(r">([^<>]+)<", body)} - {"", "…", "Studio"}
    assert words == set()
    spoken = set(re.findall(r'data-t(?:-[\w-]+)?="([\w-]+)"', MARKUP))
    for source in scripts().values():
        spoken |= set(re.findall(r'\bt\("([\w-]+)"', source))
        if source not in (scripts()["en.js"], scripts()["de.js"]):
            assert not re.search(r'"[A-Z][a-z]+ [a-z]+ [a-z]+', source), "a text without a key"
    for language in ("en", "de"):
        assert spoken <= keys(language), language
    assert keys("en") == keys("de")


def test_every_tool_and_symbol_has_its_icon_and_name() -> None:
    symbols = set(re.findall(r'<symbol id="([\w-]+)"', SYMBOLS))
    used = set(re.findall(r"icons\.svg#([\w-]+)", MARKUP))
    for source in scripts().values():
        used |= set(re.findall(r'\bicon\("([\w-]+)"\)', source))
    own = (PAGE / "tools.js").read_text("utf-8")
    tools = set(re.findall(r'name: "([\w-]+)"', own)) | TOOLS.keys()
    groups = set(re.findall(r'group: "([\w-]+)"', own)) | {tool.group for tool in TOOLS.values()}
    assert len(tools) > 20 and used | tools <= symbols
    assert (tools | groups) - TOOLS.keys() <= keys("en")
    assert all(tool.labels.keys() == {"en", "de"} for tool in TOOLS.values())
    assert not TOOLS.keys() & keys("en")


def test_every_figure_of_a_forecast_has_its_words_and_every_sign_its_icon() -> None:
    symbols = set(re.findall(r'<symbol id="([\w-]+)"', SYMBOLS))
    table = scripts()["decision.js"].partition("export const SIGNS")[0]
    signs = dict(re.findall(r'(\w[\w ]*)"?: "([\w-]+)"', table))
    assert len(signs) > 40 and {*signs.values()} <= symbols
    assert signs.keys() <= {*NAMES, *KINDS, *CAUSES, *EVENTS, *PARTS, "then", "worn"}
    assert {f"effect-{kind}" for kind in (*CAUSES, *PARTS, "pushed")} <= keys("en")


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
@pytest.mark.parametrize("name", ["face", "links"])
def test_what_the_page_computes(name: str, tmp_path: Path) -> None:
    folder = shutil.copytree(PAGE, tmp_path / "page")
    (folder / MODULE).write_bytes(elements_module())
    program = Path(__file__).with_name(f"{name}.test.mjs")
    given = {"PAGE": str(folder), "AMOUNT": "100000" if EXHAUSTIVE else "500"}
    done = running.run(["node", "--test", program], env={**os.environ, **given})
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_the_page_decodes_what_was_encoded(tmp_path: Path) -> None:
    dice = np.random.default_rng(4)
    for number in range(6):
        count = 3 + 40 * number
        places = dice.integers(-32000, 32000, (count, 3)).astype(np.int32)
        open_ = dice.integers(0, 256, count).astype(np.int32)
        faces = dice.integers(0, count, (2 * count, 3)).astype(np.int32)
        told = {"places": places.tolist(), "open": open_.tolist(), "faces": faces.tolist()}
        (tmp_path / f"{number}.json").write_text(json.dumps(told))
        (tmp_path / f"{number}.json.mesh").write_bytes(encode_vertices(places, open_, faces))
    given = {"PAGE": str(PAGE), "MESHES": str(tmp_path)}
    program = Path(__file__).with_name("decode.test.mjs")
    done = running.run(["node", "--test", program], env={**os.environ, **given})
    assert done.returncode == 0, done.stdout


MOST_LINES, MOST_CHARACTERS = 250, 100


def test_modules_of_the_studio_are_short() -> None:
    long, seen = set(), set()
    for path in PAGE.parent.rglob("*"):
        if path.suffix not in {".py", ".js", ".css"}:
            continue
        seen.add(path.suffix)
        text = path.read_text("utf-8")
        lines = text.splitlines()
        many = lines_without_docstrings(text) if path.suffix == ".py" else len(lines)
        if many > MOST_LINES or max(map(len, lines), default=0) > MOST_CHARACTERS:
            long.add(path.name)
    assert not long
    assert len(seen) == 3
