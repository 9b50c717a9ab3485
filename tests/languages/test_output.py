"""Output of commands in a pseudo-language: no word of it stays English.

The pseudo-language has each sentence of a language, translated to its own English in wide letters
and 40 % longer. A word in plain letters is a text that the language lacks, or a value.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from falldamage_forge import presets
from falldamage_forge.cli import cli, progress_bar
from falldamage_forge.cli.commands import export
from falldamage_forge.cli.commands.coupon import HOWTO
from falldamage_forge.languages import translator
from falldamage_forge.languages.translator import Language, read_language
from falldamage_forge.playtest.fairness_check import estimates, format_found
from falldamage_forge.playtest.score_verdict import QUESTIONS, format_verdict
from falldamage_forge.render.hand_drawings import STEPS
from falldamage_forge.render.pdf_pages import PdfPages
from tests.hostile.asked import ASKED, files
from tests.languages.test_translator import OTHERS

NOT_SPOKEN = {
    "bot": "JSON lines",
    "lsp": "messages of a protocol",
    "studio": "an address",
    "presets": "names",
    "explain": "pages of the language itself; `test_all_codes_are_explained`",
    "ast": "source text",
    "edit": "source text",
    "expand": "source text",
    "fmt": "source text",
    "gallery": "minutes of drawing, for the English documentation",
    "publish": "minutes of drawing",
}
"""Commands whose output is not read, with the reason."""
SESSIONS = [
    ["search --archive {out} --evaluations 4 --batch 2 --style arena --picks 2",
     "search show --archive {out}", "search merge {out} --archive {out}-2"],
    ["play {map} --red greedy --blue greedy --draw-teams --record {out}.json",
     "replay {out}.json", "replay {out}.json --check"],
    ["path {map} --rules gang-skirmish --from B1 --to D4 --turns 3"],
    [f"ask {{map}} --rules {rules}" for rules in ("falchion", "gang-skirmish", "gatefall")],
]  # fmt: skip
"""Commands whose output `ASKED` does not show: each session in a folder of its own."""
WIDE = {code: code + 0xFEE0 for code in (*range(ord("A"), 91), *range(ord("a"), 123))}
STAYS = re.compile(r"(`[^`]*`|\{\w+\})")
VALUE = re.compile(
    r"`[^`]*`|^[a-z]+ (?=\[?\w+=)|(?<=: )[^:,]+(?=, ｑ)|(?<=ｆｉｎｄｓ )\w+"
    r"|\S*[0-9_/.=@+-]\S*|\b(kB|MB|mm|min)\b"
)
"""Source text, keys, figures, names of questions and searched maps, paths, options and units."""
BLOCK = re.compile(r"^model .*?^}$", re.MULTILINE | re.DOTALL)
"""Source text among the output of a command."""
NAMES = {
    *presets.load_kit().cards,
    "AMS", "Bambu", "Blender", "Creality", "Cup", "Falchion", "Gang", "Gatefall", "Jany",
    "Lab", "MINI", "MK", "Medium", "OBJ", "Original", "Prusa", "PrusaSlicer", "Stone", "chest",
    "drifter", "falchion", "fit", "ganger", "gatefall", "gf", "glb", "greedy", "mJ", "mini", "none",
    "quadrant", "random", "skirmish", "standard", "tie", "tree",
}  # fmt: skip
"""Names of products, and keys."""


def wide(text: str) -> str:
    """Return an English sentence in the pseudo-language."""
    parts = STAYS.split(text)
    parts[::2] = (part.translate(WIDE) for part in parts[::2])
    return "".join(parts) + "~" * (len(text) * 2 // 5)


@pytest.fixture
def pseudo(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the language speak its own English."""
    known: Language = read_language(request.getfixturevalue("name"))
    sentences, joints = (
        {text: wide(text) for text in texts} for texts in (known.sentences, known.joints)
    )
    own = replace(known, sentences=sentences, joints=joints)
    monkeypatch.setattr(translator, "read_language", lambda _: own)
    exports = {key: replace(one, de=wide(one.note)) for key, one in export.EXPORTS.items()}
    monkeypatch.setattr(export, "EXPORTS", exports)
    translator.spoken.cache_clear()
    yield
    translator.spoken.cache_clear()


def english(line: str) -> set[str]:
    """Return the words of a line that no sentence of the language covers."""
    return {*re.findall("[A-Za-z]{2,}", VALUE.sub("", line))} - NAMES


SHOWN = {name for session in SESSIONS for name in ASKED if f"{name} " in "  ".join(session)}


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    "lines",
    [*SESSIONS, *([ASKED[asked]] for asked in sorted({*ASKED} - {*NOT_SPOKEN} - SHOWN))],
    ids=lambda lines: lines[-1].partition(" {")[0],
)
def test_output_of_a_command_leaves_no_english_word(
    name: str, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also its progress: each step is printed."""
    monkeypatch.setenv("FDFORGE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(progress_bar, "PATIENCE_S", 0.0)
    if "search merge" in lines[-1]:
        pytest.importorskip("numba")  # of `falldamage-forge[search]`
    places = files(tmp_path)
    for line in lines:
        words = [word.format(**places) for word in line.split()]
        run = CliRunner().invoke(cli, ["--lang", name, *words])
        assert run.stdout
        spoken = BLOCK.sub("", run.output).splitlines()
        assert {line: left for line in spoken if (left := english(line))} == {}


SHEETS = [["pack", "{map}", "--inside", "300x300x200"], ["event", "{event}"]]


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("asked", SHEETS, ids=["pack", "event"])
def test_sheets_of_a_command_leave_no_english_word(
    name: str, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FDFORGE_CONFIG_DIR", str(tmp_path))
    drawn: set[str] = set()

    def text(paper: PdfPages, text: str, *_: object, verbatim: bool = False, **__: object) -> None:
        drawn.update(() if verbatim else {paper.say(text)})

    monkeypatch.setattr(PdfPages, "text", text)
    places = files(tmp_path)
    output = places["out"] if asked[0] == "event" else f"{places['out']}.pdf"
    words = [word.format(**places) for word in (*asked, "-o", str(output))]
    assert CliRunner().invoke(cli, ["--lang", name, *words]).exit_code == 0
    assert len(drawn) > 20
    assert {line: left for line in drawn if (left := english(line))} == {}


@pytest.mark.parametrize("name", OTHERS)
def test_steps_of_hands_and_instructions_of_the_coupon_are_translated(name: str) -> None:
    say = translator.spoken(name)
    for text in (HOWTO, *(text for step in STEPS for text in (step.title, step.text))):
        same = text in translator.read_language(name).sentences  # `Lava` is a word of both
        assert say(text) != text or same
        assert same, "fragments of it alone would be translated"


SCORES = [
    {},
    {"greedy": {4: 10}},
    {"greedy": {4: 4000}, "careful": {2: 4000}},
    {"greedy": {4: 4000}, "careful": {3: 2000, 5: 2000}, "search-1": {4: 9000}},
    {"greedy": {8: 4000}, "careful": {0: 4000}},
]


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("scores", SCORES, ids=len)
def test_verdicts_of_bots_leave_no_english_word(
    name: str, scores: dict[str, dict[int, int]]
) -> None:
    say, found = translator.spoken(name), estimates(scores)
    texts = [say(format_verdict(question, found)) for question in QUESTIONS]
    if found:
        text = format_found(found)
        texts += [say(text), say(f"Played: {text}."), say(f"the map as it is: {text}")]
    assert {text: left for text in texts if (left := english(text) - {"careful"})} == {}
