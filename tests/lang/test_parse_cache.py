"""Parsed sources on disk: the same as parsed now, for every text and file; rubbish is no source."""

import ast as python_ast
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.infra import disk_cache
from falldamage_forge.lang import parse_cache
from falldamage_forge.lang.parse_cache import SOURCES, parsed
from falldamage_forge.lang.parser import parse

TEXTS = [presets.map_text(name) for name in presets.map_names()]
WRONG = "forge 1\nstak D4 height 3\nladder E5 -> \n\x07"


@pytest.fixture(autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    monkeypatch.setenv(disk_cache.FOLDER, str(folder))
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    return folder


@pytest.mark.parametrize("text", [*TEXTS, WRONG, ""])
def test_a_known_text_is_not_parsed_and_gives_the_same(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = parsed(text, "m.forge")
    monkeypatch.setattr(parse_cache, "parse", None)  # a call would raise
    assert parsed(text, "m.forge") == first == parse(text, "m.forge")


def test_text_and_name_are_both_in_the_key(place: Path) -> None:
    asked = [(text, file) for text in (*TEXTS[:3], WRONG) for file in ("m.forge", "n.forge")]
    assert [parsed(*each) for each in asked] == [parse(*each) for each in asked]
    assert len(list(place.glob("*/*"))) == len(asked)
    assert [parsed(*each) for each in asked] == [parse(*each) for each in asked]


@given(st.text(max_size=60))
def test_any_text_comes_back(text: str) -> None:
    assert parsed(text, "m.forge") == parsed(text, "m.forge") == parse(text, "m.forge")


class Trap:
    """Its pickle would write a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_rubbish_is_parsed_again_and_runs_nothing(place: Path, tmp_path: Path) -> None:
    first = parsed(WRONG, "m.forge")
    (path,) = place.glob("*/*.mesh")
    trap = tmp_path / "trap"
    for body in (b"", b"x", pickle.dumps(3), pickle.dumps((1, 2)), pickle.dumps(Trap(trap))):
        disk_cache.put(path.parent.name, path.stem, body)
        assert parsed(WRONG, "m.forge") == first
    assert not trap.exists()


def test_all_modules_that_parse_are_in_the_version() -> None:
    """Followed from the parser: every module of the package that it imports at its head."""
    seen, todo = set[str](), ["lang/parser.py"]
    while todo:
        name = todo.pop()
        if name in seen or name.startswith(("board/", "elements/")):
            continue
        seen.add(name)
        for node in python_ast.parse((parse_cache.ROOT / name).read_text("utf-8")).body:
            if not isinstance(node, python_ast.ImportFrom):
                continue
            module = str(node.module).removeprefix("falldamage_forge").replace(".", "/").strip("/")
            for path in (f"{module}.py", *(f"{module}/{each.name}.py" for each in node.names)):
                if str(node.module).startswith("falldamage_forge"):
                    todo += [path] if (parse_cache.ROOT / path).is_file() else []
    assert seen - {"infra/disk_cache.py", "infra/user_paths.py"} <= set(SOURCES)
