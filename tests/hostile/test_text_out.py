"""No text of the user's steers a terminal, a page or a reader's eye."""

import io
import re
import socket
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from falldamage_forge.cli.streams import VisibleStream
from falldamage_forge.diagnostics.text_formatter import render_text
from falldamage_forge.infra.visible_text import visible
from falldamage_forge.issues import Issue, SourceSpan
from tests.amount import some
from tests.cli.running import ROOT, typed
from tests.hostile.asked import ASKED, MAPS, files, free_words, leaves, words_of

UNSEEN = "".join(
    chr(number)
    for first, last in [
        (0x01, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0x061C, 0x061C), (0x200E, 0x200F),
        (0x2028, 0x202E), (0x2066, 0x206F), (0xFEFF, 0xFEFF),
    ]
    for number in range(first, last + 1)
)  # fmt: skip
"""Unicode: C0 but tab and line feed, C1, Bidi_Control, the separators; not taken from the code."""
HOSTILE = f"x\x1b[2J\x1b]0;y\x07{UNSEEN}z"
FORBIDDEN = re.compile(f"[{re.escape(UNSEEN)}]")


def assert_clean(text: str, where: object) -> None:
    found = FORBIDDEN.search(text.replace("\r\n", "\n"))
    assert found is None, (
        f"{where}: U+{ord(found[0]):04X} in …{text[max(found.start() - 60, 0) :][:90]!r}"
    )


@pytest.fixture
def places(tmp_path: Path) -> Iterator[dict[str, object]]:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        yield {**files(tmp_path), "busy": busy.getsockname()[1]}


def test_every_command_is_asked() -> None:
    assert set(leaves()) == set(ASKED)


SLOW = ("build", "coupon", "export", "report", "sheets")


def asked_options(name: str) -> list[str]:
    """A share of a command's free options; a site takes half a minute to write."""
    options = [option for option in free_words(name) if option != "--site"]
    return some(options, 2 if name in SLOW else 6)


@pytest.mark.parametrize("name", ASKED)
def test_words_of_a_command_are_told_visibly(
    name: str, places: dict[str, object], tmp_path: Path
) -> None:
    """Every option that takes any text, every word that names something, every unknown option."""
    words = words_of(name, **places)
    wished = [[*words, option, HOSTILE] for option in asked_options(name)]
    wished += [[*words, f"--{HOSTILE}"], [*name.split(), HOSTILE]]
    wished += [[HOSTILE if word == str(place) else word for word in words]
               for kind, place in places.items() if f"{{{kind}" in ASKED[name]]  # fmt: skip
    for asked in wished:
        run = typed(*asked, cwd=tmp_path)
        assert run.returncode in (0, 1, 2), asked
        assert "Traceback" not in run.stderr, asked
        assert_clean(run.stdout + run.stderr, asked)


SYNTAX = ["title \"@\"", "author \"@\"", "license \"@\"", "# @", "@", "tree at @",
          "define @ {{\n}}", "rules @",
          "import \"@\" as x", "units {{\n @\n}}", "legend {{\n @ 1\n}}", "expect @",
          "base @ at A1", "allow FDF310 \"@\"",
          "print {{\n printer @\n}}", "inventory {{\n @ 3\n}}"]  # fmt: skip


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_a_map_says_it_visibly_in_every_format(form: str, tmp_path: Path) -> None:
    told = 0
    for number, line in enumerate(SYNTAX):
        text = line.replace("{{", "{").replace("}}", "}").replace("@", HOSTILE)
        path = tmp_path / f"{number}.forge"
        path.write_text(f"forge 1\n{text}\nstart red at B1..I1\n", newline="")
        run = typed("check", path, "--format", form)
        assert run.returncode == 1
        told += "FDF007" in run.stdout + run.stderr
        assert_clean(run.stdout + run.stderr, line)
    assert told == len(SYNTAX), "the language takes no such character"


@pytest.mark.parametrize("letter", UNSEEN)
def test_the_language_takes_no_unseen_character(letter: str, tmp_path: Path) -> None:
    from falldamage_forge.lang.parser import parse

    _, issues = parse(f'forge 1\ntitle "a{letter}b"\n', "m.forge")
    assert [issue.code for issue in issues] == ["FDF007"]


@pytest.mark.parametrize("name", MAPS)
def test_a_map_of_any_name_is_told_visibly(
    name: str, places: dict[str, object], tmp_path: Path
) -> None:
    """Every command of a map whose file and folder are called by unseen characters."""
    folder = tmp_path / HOSTILE[:90]
    folder.mkdir()
    path = folder / f"{HOSTILE[-60:]}\udcff.forge"
    path.write_bytes(Path(str(places["map"])).read_bytes())
    run = typed(*words_of(name, **{**places, "map": path}), cwd=tmp_path)
    assert "Traceback" not in run.stderr
    assert_clean(run.stdout + run.stderr, name)
    for file in tmp_path.rglob("*"):
        if file.is_file() and "out" in file.relative_to(tmp_path).parts[0]:
            assert_clean_file(file.name, file.read_bytes())


def assert_clean_file(name: str, data: bytes) -> None:
    """The texts of a file as a reader shows them; of an archive, of each file in it."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for inner in archive.namelist():
                assert_clean_file(f"{name}:{inner}", archive.read(inner))
        return
    if Path(name).suffix in (".html", ".svg", ".md", ".txt", ".csv", ".ini", ".json", ".xml",
                             ".model", ".config", ".rels"):  # fmt: skip
        assert_clean(unescape(data.decode("utf-8")), name)


def test_printer_of_a_title_that_no_format_carries_is_refused(
    places: dict[str, object], tmp_path: Path
) -> None:
    escaped = "".join(f"\\u{ord(letter):04X}" for letter in HOSTILE)
    own = tmp_path / "own.toml"
    own.write_text(f'title = "{escaped}"\nbed_mm = [180, 180]\nheight_mm = 180\n')
    out, page = tmp_path / "out", tmp_path / "page.html"
    for words in (
        ["build", places["map"], "--printer", own, "-o", out],
        ["report", places["map"], "--printer", own, "-o", page],
        ["slicer", "--printer", own, "-o", out],
        ["pieces", places["map"], "--printer", own],
        ["kit", places["map"], "--printer", own],
        ["prove", "tree", "--printer", own],
        ["prove", "tree", "--printer", own, "--json"],
    ):
        run = typed(*words, cwd=tmp_path)
        assert run.returncode == 1 and "FDF007" in run.stderr + run.stdout, words
        assert "own.toml:1:" in run.stderr + run.stdout
        assert_clean(run.stdout + run.stderr, words)
    assert not out.exists() and not page.exists()


def test_pages_and_pictures_of_any_title_hold_no_unseen_character() -> None:
    """A board that a program makes can have any title."""
    from falldamage_forge.cli.map_argument import FORGE
    from falldamage_forge.render.build_sheets import sheets
    from falldamage_forge.render.html_pages import HtmlPages
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import svg

    board = FORGE.load("duel").board
    assert_clean(unescape(svg(isometric(board, title=HOSTILE))), "svg")
    paper = HtmlPages("a4", HOSTILE)
    paper.new_page(HOSTILE)
    paper.text(HOSTILE, 10, 10, 8)
    assert_clean(unescape(paper.finish().decode()), "html")
    assert sheets(HOSTILE, board, (), {}).startswith(b"%PDF")


def test_a_terminal_gets_the_forges_own_sequences_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    span = SourceSpan(f"{HOSTILE}\n", 1, 1, 1, 9)
    issue = Issue("FDF001", "error", HOSTILE, span, hint=HOSTILE)
    stream = Terminal()
    VisibleStream(stream).write(render_text([issue], {span.file: HOSTILE}, colour=True))
    own = re.compile(r"\x1b\[(1;31|1|34|0)m")
    assert own.search(stream.getvalue())
    assert_clean(own.sub("", stream.getvalue()), "terminal")
    assert len(stream.getvalue().splitlines()) == 6, "a name's line end begins no line"


def test_what_is_made_visible_reads_back_from_json() -> None:
    import json

    raw = json.dumps({"title": HOSTILE}, ensure_ascii=False)
    assert json.loads(visible(raw)) == {"title": HOSTILE}


def test_text_leaves_by_one_door_only() -> None:
    """Pages escape by `infra.visible_text.escape`; nothing goes round the streams of `main`."""
    assert "visible_streams" in (ROOT / "falldamage_forge/cli/__init__.py").read_text()
    for path in (ROOT / "falldamage_forge").rglob("*.py"):
        text = path.read_text("utf-8")
        if path.name != "visible_text.py":
            assert "from html import" not in text and "html.escape" not in text, path
        assert "sys.__std" not in text, path


def test_the_studio_page_is_told_visibly(tmp_path: Path) -> None:
    """What the page shows beside the text: the file's name, and what is wrong."""
    import json

    from falldamage_forge.studio.message_tables import issues_table

    span = SourceSpan("m.forge", 1, 1, 1, 2)
    issue = Issue("FDF001", "error", HOSTILE, span, hint=HOSTILE)
    assert_clean(json.dumps(issues_table((issue,), HOSTILE, "m.forge"), ensure_ascii=False), "page")
