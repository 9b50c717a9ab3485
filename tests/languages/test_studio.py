"""Messages of the studio in other languages: no answer to any request leaves an English word."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NotRequired, get_args, get_origin

import pytest

from falldamage_forge import presets
from falldamage_forge.issues.code_tables import codes
from falldamage_forge.lang.edit import USAGE
from falldamage_forge.lang.language_service import describe_tile, reference
from falldamage_forge.studio.board_overlays import LAYS
from falldamage_forge.studio.language_features import hover_text
from falldamage_forge.studio.message_handlers import handle_message
from falldamage_forge.studio.message_shapes import TOLD
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.pyodide_host import InteractiveWorker
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.session_stages import STAGES
from falldamage_forge.studio.spoken_message import SPOKEN, spoken_message
from tests.lang.test_fittings import ALL
from tests.languages.test_translator import LEFT, OTHERS

SOURCE = re.compile("|".join((r"`[^`]*`", *map(re.escape, USAGE.values()))))
"""Words of the user, and forms of gestures."""
NO_TEXT = {
    "presets": {"names", "usage", "players"},
    "settings": {"values", "choices", "whole", "command"},
    "state": {"name", "text", "life", "undo", "redo", "file", "home"},
    "board": {"title", "board"},
    "parts": {"parts", "style", "models"},
    "measures": {
        "measures.verdict", "measures.tiles", "leads.measure", "leads.side", "leads.tiles",
    },
    "pieces": {"pieces.key", "pieces.group", "plates", "totals"},
    "advice": {"remedies.gestures", "remedies.edits"},
    "answer": {
        "words", "answer", "label", "edits", "undo", "all", "here", "place", "code", "tiles",
    },
    "preview": {"words", "near", "lines", "removed", "models"},
    "overlay": {"kind", "tile", "to", "marks", "arrows", "legend.0"},
    "units": {"names", "rules", "fittings"},
    "stamps": {"stamps"},
    "stock": {"name"},
    "history": {"states"},
    "compared": set(),
    "qr": {"text", "path"},
    "written": {"tile", "places"},
    "tiles": {"tiles"},
    "completions": {"words.0", "words.1", "words.2"},
    "meaning": {"word", "form"},
    "game": {
        "result", "turn", "node", "players", "board", "units.side", "units.card", "units.facts",
        "moves.text", "moves.kind", "moves.effects.kind", "moves.effects.figure",
        "saved", "id", "link",
    },
    "record": {"text"},
    "hint": {"bot", "move"},
    "drafts": {"drafts"},
    "foreign": {"text"},
    "progress": {"of"},
    "made": {"of", "name"},
    "files": {"of", "meshes"},
    "error": {"of"},
}  # fmt: skip
"""Strings of messages that stay: names, keys, source, values that the page turns into words."""


def strings(shape: Any) -> Iterator[str]:
    """The paths of a shape that can hold a string; numbers index a list of fixed length."""
    if isinstance(shape, str) or shape is str or shape == (str | None):
        yield ""
    elif isinstance(shape, dict):
        for key, inner in shape.items():
            yield from (f"{key}.{path}".rstrip(".") for path in strings(inner))
    elif isinstance(shape, list | tuple):
        for inner in shape:
            yield from strings(inner)
    elif get_origin(shape) is tuple:
        for at, inner in enumerate(get_args(shape)):
            yield from (f"{at}.{path}".rstrip(".") for path in strings(inner))
    elif get_origin(shape) in (list, NotRequired):
        yield from strings(get_args(shape)[0])
    elif getattr(shape, "__name__", "") in ("Issue", "Board"):
        yield "issue" if shape.__name__ == "Issue" else ""


def below(path: str, paths: set[str]) -> bool:
    return any(path == one or path.startswith(f"{one}.") for one in paths)


def test_every_string_of_a_message_is_spoken_or_no_text() -> None:
    assert NO_TEXT.keys() | SPOKEN.keys() == TOLD.keys()
    for kind, forms in TOLD.items():
        spoken, stays = set(SPOKEN.get(kind, ())), NO_TEXT.get(kind, set())
        for path in strings(forms):
            if path.endswith("issue"):
                assert {"issues.message", "issues.hint", "issues.notes.message"} <= spoken, kind
                continue
            assert below(path, spoken) != below(path, stays), (kind, path)


TEXT = "forge 1\nboard 5x5\nstack C3 height 2\nladder B3 -> C3\nstart red at A1\nstart blue at E5\n"
SETTINGS = (
    {"style": "x"}, {"price": -1}, {"variants": 99}, {"variants": 2}, {"wrong": 1}, {"stock": 5},
    {"stock": "tie,1"}, {"stock": "piece,count\nx,1\n"}, {"stock": "piece,count\ntie,-1\n"},
)  # fmt: skip
PLAY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("begin", {}), ("begin", {"red": "x"}), ("begin", {"seed": "x"}), ("move", {"move": "x"}),
    ("record", {}), ("back", {}), ("next", {}), ("show", {"at": 1}), ("offer", {"rounds": 0}),
    ("offer", {"rounds": "x"}), ("link", {"code": "x"}), ("link", {"code": "2-a-b-c"}),
    ("link", {"code": f"9-{'a' * 22}-{'b' * 12}-cccc"}), ("resume", {"saved": None}),
    ("resume", {"saved": "{}"}), ("resume", {"saved": "["}), ("leave", {}),
)  # fmt: skip
WRONG = (
    "", "[]", "{", '{"v": 2, "type": "undo"}', '{"v": 1, "type": "fly"}',
    '{"v": 1, "type": "apply", "revision": 0, "label": "x", "edits": [3]}',
    '{"v": 1, "type": "preset"}', '{"v": 1, "type": "set", "values": {"variants": 2}}',
)  # fmt: skip
GESTURES = (
    "raise Z99", "raise", "fly A1", "bridge A1 B2", "bridge A1 A5 level 2", "ladder A1 A2",
    "treasure A1", "start red A2..A9", "erase one A1", "copy A1 to Z9", "move C3 to E5",
    "rotate A1..B3 90", "mirror A1 q", "stamp x at A1", "stamp castle.keep at E5", "rename a b",
    "symmetry rotate 3", "clear x A1", "replace x with tree", "replace lava with tree",
    "paint A1 level 99", "lower A1", "water C3", "lava A1",
    "tree C3", "step A1", "battlement A1", "spire A1", "railing A1", "gate A1", "base red A1",
    "field heavy-g A1 radius x", "pitfall C3", "obstruction A1 height 0in", "stack",
)  # fmt: skip


def requests() -> Iterator[dict[str, Any]]:
    """A request of each type, right and wrong."""
    for words in (*GESTURES, *USAGE.values()):
        for kind in ("preview", "gesture"):
            yield {"type": kind, "words": words, "brush": True, "revision": 0, "copies": "ask"}
    for kind in LAYS:
        for tile, to in (("C3", "A1"), ("Z99", ""), ("A1", ""), ("E1", "E1"), ("B3", "C3@9")):
            for unit in ("", "knight", "nobody"):
                yield {"type": "overlay", "kind": kind, "tile": tile, "to": to, "unit": unit}
    for line, row in enumerate(TEXT.splitlines()):
        for column in range(0, len(row), 3):
            yield {"type": "meaning", "line": line, "column": column}
            yield {"type": "complete", "text": TEXT, "line": line, "column": column}
    yield from ({"type": "set", "values": values} for values in SETTINGS)
    yield from ({"type": "play", "do": do, "values": values} for do, values in PLAY)
    yield {"type": "apply", "edits": [[0, 1, "x"]], "label": "x", "revision": 7}
    yield {"type": "format"}


def texts(told: Any, path: list[str]) -> Iterator[str]:
    """The texts of a message at a path of `SPOKEN`."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict) and path[0] in told:
        yield from texts(told[path[0]], path[1:])
    elif isinstance(told, list | tuple) and path and path[0].isdigit():
        rows = told if told and isinstance(told[0], list | tuple) else [told] * bool(told)
        for row in rows:
            yield from texts(row[int(path[0])], path[1:])
    elif isinstance(told, list | tuple):
        for one in told:
            yield from texts(one, path)


def left(told: dict[str, Any], language: str) -> list[str]:
    """The texts of a message that are English in another language."""
    spoken = spoken_message(json.loads(json.dumps(told)), language)
    found = (x for path in SPOKEN.get(told["type"], ()) for x in texts(spoken, path.split(".")))
    return [text for text in found if LEFT.search(SOURCE.sub("", text))]


@pytest.mark.parametrize("language", OTHERS)
def test_no_answer_leaves_an_english_word(language: str) -> None:
    found, seen = {}, set()
    for text in (TEXT, TEXT.replace("stack", "stak"), "forge 1\nboard 5x5\n"):
        session = Session(text, "map.forge")
        for stage in ("board", "verdict", "measures"):
            found |= dict.fromkeys(left(STAGES[stage](session), language), stage)
        for said in requests():
            reply = handle_message(session, said)
            for told in reply.told:
                seen.add(told["type"])
                found |= dict.fromkeys(left(told, language), json.dumps(said))
            if said["type"] == "play":
                session = replace(session, match=reply.session.match)
    assert found == {}
    assert seen >= {"answer", "preview", "overlay", "error", "game", "meaning", "completions"}


SAME = set("""
    Bambu CSV JSON FDF OrcaSlicer PLA PrusaSlicer STL TOML UTF fdforge falldamage
    Blender GLB JPEG MagicaVoxel Make Manifold OBJ PLY PNG Tiled Universal VTT tmj tmx uvtt vox
    Base Bases Codes Damage Fall Gate Gatefall Gates Import Studio Teams Title fall damage gang
    skirmish gatefall fair negative was NAME PIECE VALUE
    abilities author board boots cluster effects fit forge game library lsp players print printer
    quicksand rim rules seam search song studio watch
""".split())  # fmt: skip
"""Words that another language has, too: names of programs, games and files, words of the map
language and of options."""


def meanings() -> Iterator[dict[str, Any]]:
    """The answers about each keyword, each code, and each tile of a map that differs."""
    for word in (*reference(), *codes()):
        yield hover_text(Session(word, "map.forge"), 0, 0)
    examples = (entry.example for entry in codes().values() if entry.example)
    maps = (presets.load_text("maps", f"{name}.forge") for name in presets.names("maps"))
    seen = set()
    for text in (*examples, *maps, f"forge 1\n{ALL}"):
        board = map_of(Session(text, "map.forge")).board
        for tile in board.tiles():
            _, _, described = (describe_tile(board, str(tile)) or "").partition(": ")
            if described not in seen:
                seen.add(described)
                yield message("meaning", line=0, first=0, last=0, form=str(tile), text=described)


NO_PROSE = re.compile(r"`[^`]*`|docs/\S+|presets/\S+|^    .*$", re.MULTILINE)
"""Quotes, addresses and indented examples."""


def plain_words(text: str) -> set[str]:
    """The words of a text, without source."""
    return set(re.findall(r"\b[^\W\d_]{3,}\b", NO_PROSE.sub("", text)))


@pytest.mark.parametrize("language", OTHERS)
def test_no_hover_leaves_an_english_word(language: str) -> None:
    found, asked = {}, 0
    for told in meanings():
        meant = spoken_message(told, language)
        asked += 1
        english, other = plain_words(told["text"]), plain_words(meant["text"])
        assert english and other, told
        if same := (english & other) - SAME:
            found[meant["text"]] = same
    assert found == {}
    assert asked > len(reference()) + len(codes()) + 50


@pytest.mark.parametrize("language", OTHERS)
def test_no_refusal_of_a_page_leaves_an_english_word(language: str) -> None:
    worker = InteractiveWorker(TEXT)
    worker.on_message(json.dumps({"v": 1, "type": "hello", "token": "", "language": language}))
    for said in WRONG:
        errors = [one for one in map(json.loads, worker.on_message(said)) if one["type"] == "error"]
        assert errors, said
        assert not LEFT.search(SOURCE.sub("", errors[0]["message"])), errors
