"""The user's stock in the studio: a setting that gallery, board, lists and downloads take."""

from __future__ import annotations

import io
import json
import shlex
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.builds.pipeline import BuildOptions
from falldamage_forge.cli.build_options import read_stock_file
from falldamage_forge.pieces.stock import StockEntry, read_stock, write_entries
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.build_downloads import export
from falldamage_forge.studio.gallery_figures import owned_parts
from falldamage_forge.studio.message_handlers import Reply, handle_message, settings_message
from falldamage_forge.studio.part_instances import placements
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_settings import STOCK_FILE, SessionSettings
from falldamage_forge.studio.spoken_message import spoken_message
from tests.cli.running import SMALL

TEXT = SMALL.format(tower="D4")
SESSION = Session(TEXT, "small.forge")
KNOWN = presets.load_catalogue().every
PIECES = st.sampled_from(["block-1x1x1", "block-2x2x1@25.4", "quadrant", "tie", "tree"])
ENTRIES = st.builds(StockEntry, PIECES, st.integers(0, 60_000), st.sampled_from(["", "a friend"]))


def stocked(session: Session, text: object) -> Reply:
    return handle_message(session, {"type": "set", "values": {"stock": text}})


def with_parts(counts: dict[str, int], text: str = TEXT) -> Session:
    entries = tuple(StockEntry(piece, count) for piece, count in counts.items())
    return stocked(Session(text, "small.forge"), write_entries(entries)).session


@given(st.lists(ENTRIES, max_size=8))
def test_setting_holds_the_sum_of_each_piece(entries: list[StockEntry]) -> None:
    text = write_entries(entries)
    reply = stocked(SESSION, text)
    assert reply.told == ()
    settings = reply.session.settings
    owned = {piece: min(count, 100_000) for piece, count in read_stock(text, "f", KNOWN).items()}
    assert settings.owned() == owned
    assert settings_message(reply.session)["owned"] == sum(owned.values())
    assert len(settings.stock.splitlines()) == 1 + len(owned)
    assert "friend" not in settings.stock
    assert settings.changed({"stock": settings.stock}) == settings
    assert settings.changed({"stock": ""}) == SessionSettings()


@given(st.text() | st.text("piece,count-\n\"'01 treqt"))
def test_any_text_is_a_stock_or_refused_in_words(text: str) -> None:
    before = with_parts({"tree": 3})
    reply = stocked(before, text)
    if reply.told:
        assert reply.session is before
        assert len(reply.told[0]["message"]) > 9
        assert reply.told[0]["of"] == "stock"
    else:
        assert reply.session.settings.owned() == (read_stock(text, "f", KNOWN) if text else None)


@pytest.mark.parametrize(
    ("text", "lines", "words"),
    [
        ("piece,count\ntree,1\ntre,2\n", [3], ("`tre`", "did you mean `tree`?")),
        ("piece,count\ntree,two\ntree,\n", [2, 3], ("`two`", "write a whole number", "``")),
        ("piece,count\ntree,-2\n", [1], ("2 more `tree` went than there were",)),
        ("piece,count\n" + "tre,1\n" * 9, [2, 3, 4, 5, 6], ("`tre`",)),
        ("\n", [1, 1], ("stock.csv has no column `piece`", "the first line names columns")),
        ("PK\0", [1], ("control character U+0000",)),
        ("piece,count\n" + "tree,1\n" * 30_000, [None], ("more than 20000 lines",)),
        ("piece,count\n" + "tree,1\n" * 200_000, [], ("longer than 1000 kB",)),
        ("\ud800", [], ("no Unicode",)),
        (7, [], ("`stock` is missing, or of another kind",)),
    ],
)
def test_wrong_stock_is_refused_with_its_lines_and_changes_nothing(
    text: object, lines: list[int | None], words: tuple[str, ...]
) -> None:
    before = with_parts({"tree": 3})
    reply = stocked(before, text)
    assert reply.session is before
    (told,) = reply.told
    found = told.get("issues", [])
    assert [one["place"] and one["place"]["line"] for one in found] == lines
    texts = [told["message"], *(one["message"] for one in found), *(one["hint"] for one in found)]
    assert all(any(word in str(text) for text in texts) for word in words), texts
    german = spoken_message(told, "de")
    pairs = zip([told, *found], [german, *german.get("issues", [])], strict=True)
    assert all(one["message"] != other["message"] for one, other in pairs)


@pytest.mark.parametrize("name", ["duel", "gatehouse", "twin-camps"])
@pytest.mark.parametrize("share", [0, 2, 1])
def test_gallery_says_what_a_build_has_left_to_print(name: str, share: int) -> None:
    map_ = ff.load(name)
    counts = ff.plan(map_).counts()
    owned = {key: count // share if share else 0 for key, count in counts.items()}
    told = owned_parts(with_parts(owned), name)
    rows = ff.build(map_, options=BuildOptions(owned=owned)).rows if share < 2 else ()
    assert told["owned"] + told["left"] == told["parts"]
    assert (told["left"] == 0) == (share == 1)
    if rows:
        assert told["left"] == sum(row.quantity for row in rows)


def test_stock_counts_before_the_inventory_of_the_map() -> None:
    text = f"{TEXT}inventory {{\n  quadrant 4\n}}\n"
    assert owned_parts(Session(text), "duel")["owned"] > 0
    assert owned_parts(with_parts({}, text), "duel")["owned"] == 0
    assert stages.pieces(with_parts({}, text))["totals"]["owned"] == 0


def test_lists_have_what_is_left_to_print() -> None:
    built = ff.build(ff.loads(TEXT))
    counts = {row.piece: row.required for row in built.rows}
    totals = stages.pieces(with_parts(counts))["totals"]
    assert (totals["pieces"], totals["owned"]) == (0, sum(counts.values()))


@pytest.mark.parametrize(("size", "key"), [("", "block-2x2x1"), ("@25.4", "block-2x2x1@25.4")])
def test_board_is_drawn_with_the_owned_parts_of_its_size(size: str, key: str) -> None:
    print_ = "print { tile 1in  rise 1in }\n" if size else ""
    text = f"forge 1\nboard 10x10\n{print_}stack D4..E5 height 1\n"

    def drawn(**owned: int) -> Counter[str]:
        return Counter(one.piece.key for one in placements(with_parts(owned, text)))

    small, other = f"block-1x1x1{size}", f"block-1x1x1{'' if size else '@25.4'}"
    assert drawn(**{small: 4})["block-1x1x1"] == 4
    assert drawn(**{other: 4}) == drawn()
    assert drawn(**{key: 1})["block-1x1x1"] == 0


def test_zip_has_the_stock_that_its_command_names(tmp_path: Path) -> None:
    session = with_parts({"quadrant": 4, "tie": 99})
    with zipfile.ZipFile(io.BytesIO(export(session, lambda *_: None))) as archive:
        archive.extract(STOCK_FILE, tmp_path)
        rows = json.loads(archive.read("pieces.json"))["pieces"]
    words = shlex.split(session.settings.command("small.forge"))
    assert words[words.index("--own") + 1] == STOCK_FILE
    assert read_stock_file(tmp_path / STOCK_FILE) == session.settings.owned()
    assert {row["piece"]: row["owned"] for row in rows}["quadrant"] == 4


def test_without_a_stock_nothing_names_it() -> None:
    told: dict[str, Any] = settings_message(SESSION)
    assert told["values"]["stock"] == "" and told["owned"] == 0
    assert "--own" not in told["command"] and SESSION.settings.files() == {}
