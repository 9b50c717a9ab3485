"""Messages of the page say what the library says: overlays, stages, settings, stamps, games."""

from __future__ import annotations

import fnmatch
import io
import json
import re
import zipfile
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.builds.result import BuildResult
from falldamage_forge.export.mesh_codec import encode_mesh
from falldamage_forge.export.threemf import MODEL
from falldamage_forge.geometry.mesh_properties import MeshProperties
from falldamage_forge.geometry.part_size import PartSize
from falldamage_forge.issues import refuse
from falldamage_forge.playtest.bots import BOTS
from falldamage_forge.printing.estimate_model import Band
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.studio import (
    gallery_figures,
    language_features,
    page_download,
    pyodide_host,
    static_site,
    worker_process,
)
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.board_overlays import compute_overlay, units
from falldamage_forge.studio.build_downloads import DOWNLOADS, built_of, progress_counter
from falldamage_forge.studio.element_page import page_file
from falldamage_forge.studio.gallery_figures import outlines, preset_card
from falldamage_forge.studio.language_features import complete, hover_text, vocabularies
from falldamage_forge.studio.match_value import HAND
from falldamage_forge.studio.message_handlers import (
    OUTDATED,
    handle_message,
    hello_message,
    settings_message,
)
from falldamage_forge.studio.page_download import Download
from falldamage_forge.studio.play_match import game_of
from falldamage_forge.studio.play_message import match_message, move_words
from falldamage_forge.studio.play_mode import play
from falldamage_forge.studio.protocol import BadMessage, read_message
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.session_settings import SessionSettings
from falldamage_forge.studio.stamp_library import define_stamped_part, defines, stamps
from tests.cli.running import SMALL

TEXT = SMALL.format(tower="D4")
SESSION = Session(TEXT, "small.forge")
MAP = ff.loads(TEXT, "small.forge")
POSITION = ff.analysis(MAP)
BRIDGED = Session(
    f"{TEXT}stack B5, E5 height 2\nbridge B5 -> E5 level 2\nladder B6 -> B5\n", "bridged.forge"
)


def spot(mark: list[Any]) -> Surface:
    return Surface(Tile(mark[0], mark[1]), mark[2])


# -- overlays ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", ["D4@1", "C4@0", "A1@0", "J10@0", "E5@0"])
def test_push_overlay_shows_the_push_in_each_direction(tile: str) -> None:
    told = compute_overlay(SESSION, "push", tile)
    here = POSITION.place(tile)
    assert told["title"] == f"one tile of push from {tile}: damage, X deadly"
    assert [spot(arrow[0]) for arrow in told["arrows"]] == [here] * 4
    marks = {spot(mark): mark for mark in told["marks"]}
    for way, (_, end, colour) in zip(DIRECTIONS, told["arrows"], strict=True):
        behind = Surface(here.tile.step((-way[0], -way[1])), here.level)
        found = POSITION.push(behind, here, "B1")
        if found.end is None:
            assert spot(end) == (here.tile.step(way), here.level)
            assert colour == LIGHT.marks[1]
        else:
            assert spot(end) == found.end
            assert colour == LIGHT.heat[min(found.damage + 1, 5) if found.damage else 0]
            if found.end != here:
                assert marks[found.end][3:] == [colour, str(found.damage)]
    assert [words for _, words in told["legend"]] == ["0 damage", "more damage", "X deadly"]


def test_loss_overlay_shows_falls_and_surfaces_cut_off() -> None:
    told = compute_overlay(BRIDGED, "loss", "C5", unit="M3 J1")
    assert told["title"].startswith("without the bridge B5 -> E5: ")
    falls = {spot(mark): mark[4] for mark in told["marks"] if mark[4] != "×"}
    assert falls == {Surface(Tile(4, 2), 2): "-1", Surface(Tile(4, 3), 2): "-2"}
    ends = {spot(start): spot(end) for start, end, _ in told["arrows"]}
    assert ends == {at: Surface(at.tile, at.level - int(harm[1:])) for at, harm in falls.items()}
    tower = Session(f"{TEXT}stack E8 height 3\nladder E9 -> E8\n")
    ladder = compute_overlay(tower, "loss", "E9", unit="M3 J1")
    assert ladder["title"] == "without the ladder E9 -> E8: 1 surface is cut off for M3 J1"
    assert ladder["marks"] == [[7, 4, 3, LIGHT.marks[6], "×"]] and not ladder["arrows"]
    nothing = compute_overlay(BRIDGED, "loss", "H8")
    assert nothing["why"] == "no bridge, ladder or tree stands on H8"


def test_path_overlay_draws_each_step_of_the_path() -> None:
    told = compute_overlay(BRIDGED, "path", "B9@0", "B5@2", "knight")
    found = ff.analysis(map_of(BRIDGED)).unit("knight").path("B9", "B5@2")
    spots = [found.start, *(step.surface for step in found.steps)]
    assert [(spot(a), spot(b)) for a, b, _ in told["arrows"]] == [
        (a, b) for a, b in pairwise(spots) if a != b
    ]
    assert told["title"].startswith(f"knight from B9@0 to B5@2: turn {found.turns}, ")
    assert {spot(mark): mark[4] for mark in told["marks"]} == {
        step.surface: str(step.turn) for step in found.steps
    }
    high = Session(f"{TEXT}stack H7 height 4\n")
    hurt = compute_overlay(high, "path", "H7@4", "H8@0", "knight")
    harm = ff.analysis(map_of(high)).unit("knight").path("H7@4", "H8", any_damage=True).harm
    assert harm and hurt["title"].endswith(f", {harm} damage")
    assert [mark[3:] for mark in hurt["marks"] if "!" in mark[4]] == [[LIGHT.lava, f"1!{harm}"]]
    cut = Session(f"{TEXT}stack G5 height 9\n")
    assert compute_overlay(cut, "path", "A1", "G5", "knight")["why"] == (
        "knight finds no way from A1@0 to G5@9"
    )


def test_units_begin_with_the_plain_one_and_have_the_fittings_of_the_game() -> None:
    told = units(SESSION)
    assert told["names"] == list(dict.fromkeys((POSITION.plain, *POSITION.game.units)))
    assert (told["rules"], told["fittings"]) == (POSITION.game.title, list(POSITION.game.fittings))


SIZE = PartSize(
    MeshProperties(9000.0, 6000.0, 1500.0, (60.0, 28.0, 30.0)),
    bands=(Band(30.0, 300.0, 176.0, 1, 0.1, 0.1),),
)
"""Every piece is a box of 60 x 28 x 30 mm."""


# -- stages --------------------------------------------------------------------------------------


def test_pieces_stage_has_the_figures_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets, "baked_sizes", lambda *_: _Every(SIZE))
    settings = SessionSettings(price=25.0, currency="CHF", printer="mk4")
    told = stages.pieces(Session(TEXT, "small.forge", settings=settings))
    built = ff.Forge().assemble(ff.check(MAP), "mk4", settings.options())
    figures = built.build.figures
    grams, minutes = sum(f.grams for f in figures), sum(f.minutes for f in figures)
    assert told["totals"] == {
        "pieces": sum(row.quantity for row in built.rows), "owned": 0,
        "plates": len(built.plates), "grams": round(grams), "hours": round(minutes / 60, 1),
        "money": f"{25 * grams / 1000:.2f} CHF", "price": "25 CHF",
        "printer": built.printer.title, "bed": list(built.printer.bed_mm),
    }  # fmt: skip
    for row, own in zip(told["pieces"], built.rows, strict=True):
        assert row == {
            "key": own.piece, "title": own.title, "group": own.group, "count": own.quantity,
            "owned": own.owned, "grams": round(own.grams, 1), "minutes": round(own.minutes),
        }  # fmt: skip
    for plate, own, figure in zip(told["plates"], built.plates, figures, strict=True):
        assert (plate["name"], plate["group"]) == (own.name, own.group)
        assert (plate["grams"], plate["minutes"]) == (round(figure.grams, 1), round(figure.minutes))
        assert [slot[0] for slot in plate["slots"]] == [slot.key for slot in own.slots]
        for (_, *boxes), slot in zip(plate["slots"], own.slots, strict=True):
            assert boxes == [pytest.approx(list(box), abs=0.051) for box in slot.boxes()]
    groups = {row.group for row in built.rows if row.quantity}
    spools = [line for line in told["filaments"] if line.startswith("filament ")]
    assert len(spools) == len(groups) and "an AMS of 4 slots" in told["filaments"][-1]


class _Every(dict[str, Any]):
    """The same value for every key."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value

    def __missing__(self, key: str) -> Any:
        return self.value


def test_measures_and_verdict_are_those_of_the_library() -> None:
    checked, analysis = ff.check(MAP), ff.analyze(MAP)
    verdict, measured = stages.verdict(SESSION), stages.measures(SESSION)
    assert (verdict["playable"], verdict["buildable"]) == (checked.ok, checked.buildable)
    assert [row["code"] for row in verdict["issues"]] == [issue.code for issue in checked.issues]
    assert [row["name"] for row in measured["measures"]] == [m.name for m in analysis.metrics]
    assert [lead["told"] for lead in measured["leads"]] == [lead.told for lead in analysis.leads]


def test_places_of_a_tile_and_tiles_of_a_line_agree() -> None:
    told = language_features.source_locations(SESSION, "C5")
    assert [place["line"] for place in told["places"]] == [5]
    assert "C5" in language_features.tiles(SESSION, 5)["tiles"]
    assert "H6" in language_features.tiles(SESSION, 5)["tiles"], "the image under the symmetry"
    assert language_features.source_locations(SESSION, "?") == {
        "v": 1, "type": "written", "tile": "?", "places": [],
    }  # fmt: skip


def test_progress_grows_below_one_and_counts() -> None:
    told: list[tuple[str, float]] = []
    tell = progress_counter(SESSION, lambda what, share: told.append((what, share)))
    for number in range(200):
        tell("making", *((number, 200) if number else ()))
    shares = [share for _, share in told]
    assert shares == sorted(shares) and 0 < shares[0] < 0.1 and shares[-1] == 0.99
    assert [what for what, _ in told[:2]] == ["making", "making (1 of 200)"]
    kinds = len(ff.plan(MAP).pieces())
    assert shares[9] == pytest.approx(10 / (2.4 * kinds + 10), abs=1e-3)


# -- messages ------------------------------------------------------------------------------------


def reply(session: Session, kind: str, **values: Any) -> Any:
    return handle_message(session, {"v": 1, "type": kind, **values})


def test_typed_text_needs_the_revision_that_it_was_typed_on() -> None:
    done = reply(SESSION, "type", revision=0, text=TEXT + "#")
    assert (done.session.text, done.stale) == (TEXT + "#", False)
    assert done.session.state()["undo"] == "typing"
    late = reply(SESSION, "type", revision=1, text="")
    assert (late.session, late.stale, late.told) == (SESSION, True, ())


def test_proposed_edits_are_one_step_with_their_label() -> None:
    done = reply(
        SESSION, "apply", revision=0, edits=[[0, 7, "forge 1"], [7, 7, " # x"]], label="y" * 300
    )
    assert done.session.text == TEXT.replace("forge 1", "forge 1 # x")
    assert done.session.state()["undo"] == "y" * 200
    late = reply(SESSION, "apply", revision=1, edits=[], label="")
    assert late.stale and late.session is SESSION
    assert late.told == ({"v": 1, "type": "error", "message": OUTDATED},)


def test_templates_open_as_one_step_and_others_are_ignored() -> None:
    done = reply(SESSION, "preset", name="duel")
    assert done.session.text == presets.load_text("maps", "duel.forge")
    assert done.session.state()["undo"] == "open duel"
    assert reply(SESSION, "preset", name="nothing").session is SESSION
    assert hello_message()["names"] == presets.names("maps")


def test_settings_are_told_with_the_command_that_builds_the_same() -> None:
    done = reply(SESSION, "set", values={"style": "rock", "variants": 3})
    told = settings_message(done.session)
    assert told["values"] == {**SessionSettings().table(), "style": "rock", "variants": 3}
    assert told["command"] == "fdforge build small.forge --style rock --variants 3 --price 20"
    assert told["choices"]["style"] == presets.names("styles")
    wrong = reply(SESSION, "set", values={"style": "velvet"})
    assert wrong.session is SESSION
    assert wrong.told[0]["message"] == "there is no style `velvet`"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"price": 0}, "a price is a number above 0, at most 10000"),
        ({"price": 10_001}, "a price is a number above 0, at most 10000"),
        ({"variants": 12}, "`variants` is a whole number from 1 to 11"),
        ({"variants": True}, "`variants` is a whole number from 1 to 11"),
        ({"filaments": 17}, "`filaments` is a whole number from 0 to 16"),
        ({"filaments": -1}, "`filaments` is a whole number from 0 to 16"),
        ({"tops": "plaid"}, "there is no tops `plaid`"),
        ({"root": "/"}, "there is no setting `root`"),
        ({"currency": "XXX"}, "there is no currency `XXX`"),
    ],
)
def test_wrong_setting_is_refused_in_words(values: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        SessionSettings().changed(values)
    assert str(refused.value) == why
    assert SessionSettings().changed({"price": 10_000, "variants": 11}).price == 10_000


def test_tops_and_filaments_reach_the_build_the_pieces_and_the_command() -> None:
    wished = SessionSettings(tops="grass", filaments=2)
    built = built_of(Session(TEXT, "small.forge", settings=wished)).build
    assert (built.options.tops, built.options.filaments) == ("grass", 2)
    assert 1 <= len(built.filaments) <= 2 and any(built.tops_g.values())
    assert wished.command("small.forge").endswith("--tops grass --filaments 2 --price 20")
    told = settings_message(Session(TEXT, settings=wished))
    free = {"price", "stock"}
    assert {*told["whole"], *told["choices"], *free} == {*wished.table()}, "each has its bounds"


def test_completions_are_the_words_that_begin_so() -> None:
    text = "forge 1\nboard 10x10\nrules gat"
    told = complete(text, 2, 9)
    assert (told["typed"], [word[0] for word in told["words"]]) == (3, ["gatefall"])
    assert (told["line"], told["column"]) == (2, 9)
    assert complete(text, 2, 6)["typed"] == 0
    known = vocabularies()
    assert known["printers"] == presets.names("printers")
    assert set(known["options.gap"]) == {"strictly-lower", "any-clear"}
    assert hover_text(SESSION, 4, 7)["type"] == hover_text(SESSION, 0, 0)["type"]


APPLY = {"v": 1, "type": "apply", "revision": 0, "label": "x"}
MIXED = "an edit is [start, end, new text]"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"v": 1, "type": "fly"}, "no such message"),
        ({"v": 1, "type": ["undo"]}, "no such message"),
        ({"v": 1, "type": "preset"}, "`name` is missing, or of another kind"),
        ({"v": 1, "type": "preset", "name": 1}, "`name` is missing, or of another kind"),
        (
            {"v": 1, "type": "preset", "name": "\ud800"},
            "`name` is longer than 1000 kB, or no Unicode",
        ),
        ({**APPLY, "revision": True, "edits": []}, "`revision` is missing, or of another kind"),
        ({**APPLY, "edits": [[0, 1]]}, MIXED),
        ({**APPLY, "edits": ["012"]}, MIXED),
        ({**APPLY, "edits": [[0, 1, "a"], [1, 0, "a"]]}, MIXED),
        ({**APPLY, "edits": [[-1, 0, "a"]]}, MIXED),
        ({**APPLY, "edits": [[0, True, "a"]]}, MIXED),
        ({**APPLY, "edits": [[0, 1, "\ud800"]]}, MIXED),
    ],
)
def test_message_of_another_form_is_refused_in_words(said: dict[str, Any], why: str) -> None:
    with pytest.raises(BadMessage) as refused:
        read_message(json.dumps(said))
    assert str(refused.value) == why
    assert read_message(json.dumps({**APPLY, "edits": [[0, 0, ""], [2, 9, "é"]]}))["edits"]


# -- the site ------------------------------------------------------------------------------------


def test_page_of_the_site_is_that_of_the_studio_with_a_policy() -> None:
    folder = Path(static_site.__file__).with_name("page")
    files = {file.path: file.data for file in static_site._page(None, None)}
    own = {path.name for path in (folder / "site").iterdir() if path.is_file()}
    shared = {path.name for path in folder.iterdir() if path.is_file()}
    first = {"home.html", "service-worker.js"}  # they are written under other names, or last
    assert own and set(files) == (own | shared | {"studio.html", "elements.js"}) - first
    for name in (own | shared) - first - {"index.html"}:
        source = folder / "site" / name if name in own else folder / name
        assert files[name] == page_file(name, source.read_bytes()), name
    head = files["studio.html"].decode().partition("</head>")[0]
    assert f'content="{static_site.POLICY}"' in head.split('<meta charset="utf-8">')[1]
    assert '<html lang="en" data-site' in head


def test_site_has_a_picture_of_each_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery_figures, "picture", lambda name: f"<svg>{name}</svg>")
    monkeypatch.setattr(gallery_figures, "preset_card", lambda name: {"title": name})
    monkeypatch.setattr(gallery_figures, "outlines", lambda: {"bard": "M0,0"})
    files = {file.path: file.data for file in static_site._pictures()}
    assert json.loads(files.pop("figures.json")) == {"bard": "M0,0"}
    assert files == {
        path: data
        for name in presets.names("maps")
        for path, data in (
            (f"maps/{name}.svg", f"<svg>{name}</svg>".encode()),
            (f"maps/{name}.json", f'{{"title": "{name}"}}'.encode()),
            (f"figures/{name}.json", b"null"),
        )
    }


def test_every_card_that_can_be_drawn_has_an_outline() -> None:
    assert set(presets.load_kit().cards) <= outlines().keys()


@pytest.mark.parametrize("name", ["duel", "gatehouse"])
def test_card_of_the_gallery_has_the_facts_of_the_map(name: str) -> None:
    map_, card = ff.load(name), preset_card(name)
    assert (card["title"], card["rows"], card["cols"]) == (
        map_.title,
        map_.board.rows,
        map_.board.cols,
    )
    assert card["pieces"] == sum(row.quantity for row in ff.build(map_).rows)
    assert card["game"] == ff.analysis(map_).game.title


def test_gallery_has_the_hours_and_the_difficulty_that_the_library_computes() -> None:
    map_, known = ff.load("duel"), gallery_figures.preset_figures("duel")
    minutes = sum(figures.minutes for figures in ff.build(map_).build.figures)
    assert known["hours"] == pytest.approx(minutes / 60, abs=0.06)
    risk = next(x.text for x in ff.analyze(map_).metrics if x.name == gallery_figures.RISK)
    assert known["difficulty"]["en"] == risk
    assert "Stoß" in known["difficulty"]["de"]
    assert gallery_figures.preset_figures("ford")["difficulty"] == {}


def test_gallery_counts_the_owned_parts_of_a_map() -> None:
    counts = ff.plan(ff.load("duel")).counts()
    most = max(counts, key=lambda key: counts[key])

    def owned(*parts: str) -> tuple[int, int]:
        text = "forge 1\nboard 5x5\ninventory {\n" + "".join(f"  {x}\n" for x in parts) + "}\n"
        told = gallery_figures.owned_parts(Session(text), "duel")
        return told["owned"], told["parts"]

    assert owned(f"{most} 1") == (1, sum(counts.values()))
    enough = [f"{key} {count + 3}" for key, count in counts.items()]
    all_owned, parts = owned(*enough)
    assert all_owned == parts > 0
    assert gallery_figures.owned_parts(Session("forge 1\nboard 5x5\n"), "duel")["parts"] == 0
    assert gallery_figures.owned_parts(Session("forge 1\nboard 5x5\n"), "no map")["parts"] == 0


def test_first_page_shows_the_figures_of_a_map() -> None:
    figures = {"duel": {"hours": 12.5, "difficulty": {"en": "9% <b>", "de": "9 %"}}}
    pages = {file.path: file.data for file in static_site._page(None, None, figures)}
    assert b" \xc2\xb7 12.5 h" in pages["index.html"]
    assert b'<span lang="en">9% &lt;b&gt;</span><span lang="de">9 %</span>' in pages["index.html"]


def test_archive_of_the_site_is_sorted_and_has_no_date() -> None:
    data = static_site._zipped({"b": b"2" * 99, "a": b"1"})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["a", "b"]
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}
        assert archive.getinfo("b").compress_size < 99
        assert archive.read("b") == b"2" * 99


# -- stamps --------------------------------------------------------------------------------------


def test_stamp_is_shown_as_it_is_defined() -> None:
    body = "define hut {\n  stack A1..B1 height 2\n  tree at A2\n  water at B2\n}\n"
    (own, *library) = stamps(TEXT + body)["stamps"]
    assert own == {
        "name": "hut", "book": "", "model": False,
        "cells": [
            [[2, "ground", None], [2, "ground", None]],
            [[0, "ground", "tree"], [0, "water", None]],
        ],
    }  # fmt: skip
    assert {each["book"] for each in library} == set(presets.names("parts"))


def test_stamped_part_is_defined_once_before_its_first_use() -> None:
    book = presets.names("parts")[0]
    name = next(iter(defines(presets.load_text("parts", f"{book}.forge"))))
    text, words = define_stamped_part(TEXT, f"stamp {book}.{name} at A1")
    assert words == f"stamp {name} at A1"
    assert list(defines(text)) == [name]
    kept = [line for line in text.splitlines() if line in TEXT.splitlines()]
    assert [line for line in kept if line] == TEXT.splitlines()
    assert text.index("symmetry") > text.index("define") > text.index("board")
    assert define_stamped_part(text, f"stamp {book}.{name} at B2") == (text, f"stamp {name} at B2")
    for other in ("raise D4", "stamp nothing.hut at A1", f"stamp {book}.nothing at A1"):
        assert define_stamped_part(TEXT, other) == (TEXT, other)


# -- games ---------------------------------------------------------------------------------------


def test_message_of_a_match_is_its_game() -> None:
    session, told = play(Session(ff.load("duel").text), "begin", {"seed": 3, "red": HAND})
    assert session.match is not None
    kit, game = presets.load_kit(), game_of(session.match)
    assert (told["on"], told["over"], told["count"]) == (True, False, len(session.match.moves))
    assert (told["turn"], told["node"], told["round"]) == (game.turn, game.node, game.state.round)
    assert [move["text"] for move in told["moves"]] == list(map(str, game.legal_moves))
    for number, (row, unit) in enumerate(zip(told["units"], game.state.units, strict=True)):
        assert (row["number"], row["title"]) == (number, kit.cards[unit.card].title)
        assert row["side"] == ("red", "blue")[unit.side]
        assert (row["health"], row["most"]) == (unit.health, unit.max_health)
        place = [unit.spot >> 10, unit.spot >> 4 & 63, unit.spot & 15] if unit.spot >= 0 else None
        assert (row["place"], row["done"]) == (place, unit.activated)
    for row, move in zip(told["moves"], game.legal_moves, strict=True):
        titles = [kit.cards[game.state.units[n].card].title for n in move.units]
        assert row["kind"] == (move.name or move.kind)
        assert all(title in row["words"] for title in titles)
        assert not row["effects"]  # a unit is chosen, nothing is done


def test_forecast_of_a_move_names_no_unit_by_its_number() -> None:
    session, told = play(
        Session(ff.load("duel").text), "begin", {"seed": 3, "red": HAND, "blue": HAND}
    )
    titles = {row["title"] for row in told["units"]}
    seen = 0
    for _ in range(60):
        struck = [move for move in told["moves"] if move["text"].startswith("attack ")]
        for move in struck:
            for effect in move["effects"]:
                assert not re.search(r"(red|blue) [\w-]+ [0-9]", effect["words"])
                seen += any(title in effect["words"] for title in titles)
        session, told = play(session, "move", {"move": (struck or told["moves"])[0]["text"]})
        if told["over"]:
            break
    assert seen


def test_message_without_a_match_is_off() -> None:
    assert match_message(None) == {"v": 1, "type": "game", "on": False}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("unit 1", "Samurai"),
        ("attack 0", "attack Bandit"),
        ("swap 0 1", "swap Bandit Samurai"),
        ("die 1", "die 1"),
        ("attack deck 0 G4@2", "attack bridge G4@2"),
        ("attack ladder 1 E4@2", "attack ladder E4@2"),
        ("move E5@2", "move E5@2"),
        ("draft 7", "draft 7"),
    ],
)
def test_words_of_a_move_name_its_units_and_leave_dice(text: str, words: str) -> None:
    assert move_words(text, ("Bandit", "Samurai")) == words


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"red": "x"}, f"a side is played by `hand`, or by {', '.join(BOTS)}"),
        ({"seed": 2**31}, "`seed` is a whole number up to 2147483647"),
        ({"seed": True}, "`seed` is a whole number up to 2147483647"),
    ],
)
def test_match_that_cannot_begin_says_why(values: dict[str, Any], why: str) -> None:
    assert play(SESSION, "begin", values)[1]["message"] == why


def test_hand_moves_in_its_turn_only() -> None:
    session, _ = play(Session(ff.load("duel").text), "begin", {"red": "greedy", "blue": "greedy"})
    after, told = play(session, "move", {"move": "end"})
    assert (after, told["message"]) == (session, "it is not your turn")


# -- work beside the page ------------------------------------------------------------------------


def test_worker_reports_progress_results_and_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(session: Session, progress: Any) -> bytes:
        progress("half", 0.5)
        return session.text.encode()

    def fail(session: Session, progress: Any) -> bytes:
        raise (refuse("FDF295", "no room") if session.name == "x" else ZeroDivisionError("odd"))

    downloads = {"zip": (make, "application/zip"), "sheets": (fail, "application/pdf")}
    monkeypatch.setattr(worker_process, "DOWNLOADS", downloads)
    monkeypatch.setattr(worker_process, "LATE", ("one",))
    monkeypatch.setattr(worker_process, "STAGES", {"one": lambda session: {"text": session.text}})

    def told(kind: str, session: Session) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        worker_process.work(kind, session, found.append)
        return found

    assert told("zip", SESSION) == [("progress", ("half", 0.5)), ("made", TEXT.encode())]
    assert told("stages", SESSION) == [("told", {"text": TEXT}), ("done", None)]
    assert told("sheets", Session("", "x")) == [("failed", "no room")]
    assert told("sheets", Session("", "y")) == [("failed", "ZeroDivisionError: odd")]


@cache
def built() -> BuildResult:
    return built_of(SESSION)


@pytest.fixture
def of_a_page(monkeypatch: pytest.MonkeyPatch) -> BuildResult:
    """A build of the session's map, whose pieces the page knows by their sizes."""
    sizes = built().build.sizes
    monkeypatch.setattr(presets, "baked_sizes", lambda *_: sizes)
    return built()


def downloaded(kind: str, session: Session, built: BuildResult) -> Download:
    """A finished download, made as `worker.js` has it made."""
    made = Download(session, kind)
    *_, needed = made.plan()
    own = f"stl/{session.settings.style}/"
    meshes = {
        path: encode_mesh(built.build.printed[path.removeprefix(own)]) for path in needed["meshes"]
    }
    told = [*made.write(meshes)]
    assert [step["share"] for step in told] == sorted({step["share"] for step in told})
    assert all(step["type"] == "progress" and step["share"] < 1 for step in told)
    return made


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_zip_of_a_page_has_the_files_of_the_library(of_a_page: BuildResult) -> None:
    made = downloaded("zip", SESSION, of_a_page)
    assert (made.name, made.media_type) == ("", "application/zip")
    files, wanted = members(made.data), {a.path: a.data for a in of_a_page.artifacts()}
    shared = {"order.csv", "pieces.csv", *fnmatch.filter(wanted, "pieces/*.stl")}
    assert len(shared) > 5
    assert {name: files[name] for name in shared} == {name: wanted[name] for name in shared}
    plates = fnmatch.filter(wanted, "plates/*.3mf")
    assert plates and plates == fnmatch.filter(files, "plates/*.3mf")
    for name in plates:
        assert members(files[name])[MODEL] == members(wanted[name])[MODEL]
    assert files[page_download.NAME] == TEXT.encode()
    texts = {"README.txt", "pieces.json", page_download.MISSING, page_download.SHEETS}
    assert files.keys() == shared | {*plates, *texts, page_download.NAME}


def test_plates_and_project_are_those_of_the_whole_export() -> None:
    """Each file of `fdforge build` has the same bytes in a zip of a part as in the whole one."""
    made = {
        what: members(make(SESSION, lambda *_: None))
        for what, (make, media_type) in DOWNLOADS.items()
        if media_type == "application/zip"
    }
    whole = made.pop("zip")
    patterns = {"plates": ["plates/*"], "project": ["project*.3mf", "settings/*"]}
    assert made.keys() == patterns.keys()
    for what, files in made.items():
        wanted = [name for pattern in patterns[what] for name in fnmatch.filter(whole, pattern)]
        assert len(wanted) > 1
        assert files == {name: whole[name] for name in wanted}


def test_plates_of_a_page_are_those_of_its_zip(of_a_page: BuildResult) -> None:
    made = downloaded("plates", SESSION, of_a_page)
    assert (made.name, made.media_type) == ("", "application/zip")
    whole = members(downloaded("zip", SESSION, of_a_page).data)
    plates = fnmatch.filter(whole, "plates/*.3mf")
    assert plates and members(made.data) == {name: whole[name] for name in plates}


def test_sheets_of_a_page_need_no_mesh(of_a_page: BuildResult) -> None:
    made = downloaded("sheets", SESSION, of_a_page)
    assert (made.name, made.media_type) == (page_download.SHEETS, "text/html")
    assert made.data == members(downloaded("zip", SESSION, of_a_page).data)[made.name]


def test_texts_of_a_page_are_in_its_language(of_a_page: BuildResult) -> None:
    def texts(language: str) -> dict[str, bytes]:
        return members(downloaded("zip", replace(SESSION, language=language), of_a_page).data)

    english, german = texts("en"), texts("de")
    for file in ("README.txt", page_download.MISSING):
        lines = [texts[file].decode().splitlines() for texts in (english, german)]
        assert len(lines[0]) == len(lines[1]) > 5
        same = [one for one, other in zip(*lines, strict=True) if one == other]
        assert set(same) <= {"", lines[0][0]}
    assert b'<html lang="de">' in german[page_download.SHEETS]


def test_worker_of_a_page_plans_and_writes_in_the_language_of_the_wish(
    of_a_page: BuildResult,
) -> None:
    batch = pyodide_host.BatchWorker()
    wish = {"kind": "sheets", "text": TEXT, "revision": 0, "settings": {}, "language": "de"}
    batch.on_message(json.dumps(wish))
    *_, files = map(json.loads, batch.run_stages())
    assert files == {"v": 1, "type": "files", "of": "sheets", "meshes": []}
    assert [*batch.write({})] == []
    assert batch.download is not None
    assert b'<html lang="de">' in batch.download.data


def test_downloads_are_in_the_language_of_their_client() -> None:
    """A job carries the language of the page that asked, not of the one that opened last."""
    found: list[tuple[str, Any]] = []
    worker_process.work("zip", replace(SESSION, language="de"), found.append)
    files = zipfile.ZipFile(io.BytesIO(found[-1][1]))
    assert '<html lang="de">' in files.read("report.html").decode()


@pytest.mark.parametrize("compiled", [None, (b"library", b"compiled")])
def test_site_names_its_python_by_its_content(
    compiled: tuple[bytes, bytes] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(static_site, "runtime", lambda archive: {"pyodide.js": b"js"})
    monkeypatch.setattr(static_site, "_python", lambda styles, sizes: b"source")
    monkeypatch.setattr(static_site, "compile_bytecode", lambda pyodide, python: compiled)
    monkeypatch.setattr(static_site, "_pictures", lambda figures: iter(()))
    monkeypatch.setattr(static_site, "preset_figures", lambda name: {})
    monkeypatch.setattr(static_site, "_baked", lambda style, printer, only: ([], b"{}"))
    printer = presets.load_printer("a1-mini")
    files = {
        file.path: file.data
        for file in static_site.build_site(("plain", "rock", "plain"), printer, told.append)
    }
    about = json.loads(files["site.json"])
    assert (about["styles"], about["printer"]) == (["plain", "rock"], "a1-mini")
    assert files[about["python"]] == (compiled[1] if compiled else b"source")
    assert files.get(f"pyodide/{static_site.LIBRARY}") == (compiled[0] if compiled else None)
    assert files["pyodide/pyodide.js"] == b"js" and "notices.txt" in files
    assert told[1:] == [
        "baking the pieces in plain", "baking the pieces in rock",
        "drawing the maps", "compiling the Python",
    ]  # fmt: skip
