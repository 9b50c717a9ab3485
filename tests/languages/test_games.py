"""Moves, forecasts and measures in other languages: no English word is left in them."""

import json
import random
import re
import tomllib
from dataclasses import replace

import pytest
from click.testing import CliRunner

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.builds.pictures import report_overlays
from falldamage_forge.builds.result import report_context_of_illegal
from falldamage_forge.cli import cli
from falldamage_forge.games.fall_damage.engine.codes import NAMES
from falldamage_forge.languages.translator import spoken
from falldamage_forge.render.build_sheets import sheets
from falldamage_forge.render.how_to_play import guide, how_to_play
from falldamage_forge.render.html_pages import HtmlPages
from falldamage_forge.render.html_report import PlateRow, report
from falldamage_forge.render.pdf_pages import PdfPages
from falldamage_forge.render.printed_cards import cards
from falldamage_forge.studio.play_message import ACTS, act_title
from falldamage_forge.studio.play_mode import play
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.spoken_message import spoken_message
from tests.languages.test_translator import LEFT, OTHERS

SAME = {"die"}
"""Words of moves that the page reads."""
MOVES = 40


@pytest.mark.parametrize("name", OTHERS)
def test_every_kind_of_move_and_every_card_has_words(name: str) -> None:
    say = spoken(name)
    kinds = {kind for kind in NAMES if say(f"{kind} E5@1") == f"{kind} E5@1" and say(kind) == kind}
    assert kinds == SAME
    acts = {act_title(kind) for kind in {*NAMES, *ACTS} - SAME}
    assert {act for act in acts if say(act) == act} == {"Promo"}
    titles = {card.title for card in presets.load_kit().cards.values()}
    assert {title for title in titles if title not in ("Bandit", "Samurai")} == {
        title for title in titles if say(title) != title
    }


NAMES_OF_BOTH = {"Promo"}
"""Names of abilities that are the same in every language."""


@pytest.mark.parametrize("name", OTHERS)
def test_every_ability_and_treasure_has_words(name: str) -> None:
    """Also those that a card does not print, and the studio shows."""
    say = spoken(name)
    texts = {
        text
        for unit in presets.load_units().values()
        for ability in unit.abilities
        for text in (ability.name, ability.text)
    }
    table = tomllib.loads(presets.load_text("play", "treasure.toml"))
    rows = [row for row in table.values() if "title" in row]
    texts |= {row[key] for row in rows for key in ("title", "text") if key in row}
    assert len(texts) > 100
    assert {text for text in texts if say(text) == text} == NAMES_OF_BOTH


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_leaves_no_english_word(name: str, seed: int) -> None:
    dice = random.Random(seed)
    session = Session(presets.load_text("maps", "duel.forge"), "duel.forge")
    wish = {"red": "hand", "blue": "hand", "seed": seed, "draw": True}
    session, told = play(session, "begin", wish)
    for unit in spoken_message(told, name)["units"]:
        for text in (unit["role"], *(able for _, able in unit["abilities"])):
            assert not LEFT.search(text) and "fighter" not in text, text
    for _ in range(MOVES):
        for move in spoken_message(told, name)["moves"]:
            effects = [effect["words"] for effect in move["effects"]]
            for text in (move["words"], move["act"], *effects):
                assert not LEFT.search(text) and "attack" not in text, text
        session, told = play(session, "move", {"move": dice.choice(told["moves"])["text"]})


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("map_name", ["canyon", "stairwell"])
def test_measures_leave_no_english_word(name: str, map_name: str) -> None:
    run = CliRunner().invoke(cli, ["--lang", name, "analyze", map_name])
    assert run.exit_code == 0
    for line in run.output.splitlines():
        assert not LEFT.search(re.sub(r"`[^`]*`", "", line)), line


@pytest.mark.parametrize("name", OTHERS)
def test_cards_and_guide_leave_no_english_word(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of rich text are translated once more when they are drawn, and stay."""
    drawn: list[str] = []
    monkeypatch.setattr(PdfPages, "text", lambda paper, text, *_, **__: drawn.append(text))
    say, units = spoken(name), presets.load_units()
    deck = [*units.values()]
    cards(deck, "a4", presets.load_catalogue(), presets.load_kit(), standees=True, language=name)
    situations = json.loads(presets.load_text("play", "situations.json"))["examples"]
    board = ff.Forge().load(guide().first.map).board
    titles = {key: unit.title for key, unit in units.items()}
    how_to_play(situations, presets.load_kit(), board, titles, language=name)
    words = {say(text) for text in drawn if "=" not in text}  # options stay
    assert len(words) > 500
    assert {word for word in words if LEFT.search(word) or say(word) != word} == set()
    assert not words & {"Move", "Health", "Attack", "Reach", "Push", "tile", "level", "rules"}


@pytest.mark.parametrize("name", OTHERS)
def test_report_leaves_no_english_word_but_names_and_source(name: str) -> None:
    checked = ff.check(ff.Forge().load("duel"))
    data = replace(
        report_context_of_illegal(checked),
        title="A tree & `water`",
        overlays=report_overlays(checked.position),
        plates=(PlateRow("Water", 1, 2.0, 3.0),),
        scene={"tree": "water"},
        phone="duel",
    )
    kept = r"(?s)<(script|style|pre|h1|title|td translate=no)\b.*?</\w+>"
    english, translated = report(data), report(data, name)
    stays, stay = ([part[0] for part in re.finditer(kept, page)] for page in (english, translated))
    assert stays == stay and len(stay) > 5
    shown = re.sub(kept, "", translated)
    texts = [*re.findall(r">([^<>]+)<", shown), *re.findall(r'(?:label|alt|title)="([^"]+)', shown)]
    assert len(texts) > 50
    assert [text for text in texts if LEFT.search(text.replace(data.title, ""))] == []


@pytest.mark.parametrize("name", OTHERS)
def test_titles_of_pieces_leave_no_english_word(name: str) -> None:
    say = spoken(name)
    titles = {say(piece.title) for piece in presets.load_catalogue().pieces.values()}
    assert len(titles) > 100
    assert {title for title in titles if LEFT.search(title) or "tile" in title} == set()


def sheets_in(language: str) -> str:
    forge = ff.Forge()
    map_ = forge.load("duel")
    placements = forge.plan(map_).placements
    board = map_.board
    return sheets(map_.title, board, placements, {}, kind=HtmlPages, language=language).decode()


@pytest.mark.parametrize("name", OTHERS)
def test_sheets_leave_no_english_word(name: str) -> None:
    english, translated = (
        re.findall(r"<text[^>]*>([^<]*)</text>", sheets_in(language)) for language in ("en", name)
    )
    assert len(translated) >= len(english) > 50
    assert {"tree", "water"} <= {*translated}, "keys are names of files"
    for text in translated:
        assert not LEFT.search(text) and not re.search(r"\b(Step|level|parts?|tiles)\b", text), text
