"""Games by link: both players end in one game, and each dishonest link is refused."""

import json
import random
import string
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play import BoardGame
from falldamage_forge.issues import ForgeError
from falldamage_forge.playtest import link_code
from falldamage_forge.playtest import link_game as links
from falldamage_forge.playtest.link_game import SEALED, Seat, Table
from tests.amount import EXHAUSTIVE, some
from tests.games.play.links import begin, choose, seats, whole_game

SIGNS = string.ascii_letters + string.digits + "-_ ."
MUTANTS = 100_000 if EXHAUSTIVE else 2_000


@cache
def sent(seed: int = 1) -> tuple[tuple[Seat, Seat, str], ...]:
    """The links of a whole game: sender, receiver before it, code."""
    found: list[tuple[Seat, Seat, str]] = []
    whole_game(seed, lambda me, before, code, _: found.append((me, before, code)))
    return tuple(found)


def refused(seat: Seat, table: Table, words: str) -> None:
    """The seat refuses a table that was sealed as a link."""
    with pytest.raises(ForgeError, match=words) as error:
        links.receive(seat, links.link_of(replace(seat, table=table)), begin)
    assert error.value.issues[0].code == "FDF384"


@pytest.mark.parametrize("seed", some(range(60), 6))
def test_both_players_end_in_one_game_whose_record_replays(seed: int) -> None:
    red, blue = whole_game(seed)
    assert red.table.entries == blue.table.entries
    records = [links.record_of(seat, begin) for seat in (red, blue)]
    assert records[0] == records[1]
    replayed = BoardGame.from_record(records[0], presets.load_kit())
    game = links.game_of(red, begin)
    assert game is not None
    assert (replayed.result, replayed.hash) == (game.result, game.hash)


def test_an_item_takes_back_the_moves_after_the_one_that_sprang_it() -> None:
    voids = 0

    def watch(sender: Seat, _: Seat, code: str, after: Seat) -> None:
        nonlocal voids
        lost = len(sender.table.entries) - len(after.table.entries)
        if lost > 0:
            voids += 1
            assert not set(sender.notes) & set(after.notes)
            assert links.receive(sender, links.link_of(after), begin).heard

    for seed in range(10):
        whole_game(seed, watch)
    assert voids


def test_a_saved_seat_goes_on_as_the_same() -> None:
    for me, before, _ in some(sent(), 5):
        for seat in (me, before):
            assert links.read_seat(links.seat_json(seat)) == seat


def test_a_seat_of_another_secret_is_refused() -> None:
    red, blue = seats(3)
    with pytest.raises(ForgeError, match="another secret"):
        links.read_seat({**links.seat_json(red), "secret": links.seat_json(blue)["secret"]})
    with pytest.raises(ForgeError, match="cannot be read"):
        links.read_seat({"side": 0})


def test_a_link_that_is_read_again_changes_nothing() -> None:
    for me, before, code in sent():
        after = links.receive(before, code, begin)
        assert links.receive(after, code, begin) is after
        assert links.receive(me, code, begin) is me


@pytest.mark.parametrize("link", [0, 12, -1])
def test_any_character_changed_or_missing_is_refused(link: int) -> None:
    dice, code = random.Random(link), sent()[link][2]
    for at in range(len(code)):
        other = dice.choice([sign for sign in SIGNS if sign != code[at]])
        for broken in (code[:at] + other + code[at + 1 :], code[:at] + code[at + 1 :]):
            with pytest.raises(ForgeError, match="the link is refused"):
                links.read_table(broken)


def test_random_text_is_refused() -> None:
    dice, codes = random.Random(5), [code for _, _, code in sent()]
    for _ in range(MUTANTS):
        code = list(dice.choice(codes))
        for _ in range(dice.randint(1, 6)):
            start, end = sorted(dice.randrange(len(code) + 1) for _ in range(2))
            code[start : min(end, start + 9)] = dice.choices(SIGNS, k=dice.randint(0, 9))
        if "".join(code) not in codes:
            with pytest.raises(ForgeError):
                links.read_table("".join(code))


def _changed(value: Any, dice: random.Random) -> Any:
    """A table's JSON with one part changed, as a dishonest friend would seal it."""
    map_, rounds, end, shown, text = value
    entries = text.split("\n")
    at = dice.randrange(len(entries))
    number, link = shown[dice.randrange(2)]
    ways: list[Callable[[], Any]] = [
        lambda: entries.pop(at),
        lambda: entries.insert(at, dice.choice(entries)),
        lambda: entries.__setitem__(at, dice.choice([*entries, "!1", "!9", "?x", "=x y", "end"])),
        lambda: entries.append(dice.choice([*entries, "!2", "end", "end turn"])),
        entries.reverse,
        lambda: shown.__setitem__(dice.randrange(2), [number + dice.choice((-1, 0, 1)), link]),
        lambda: shown.__setitem__(dice.randrange(2), [dice.choice((-1, 9**9, None, "1")), link]),
        shown.reverse,
    ]
    dice.choice(ways)()
    whole = [map_, rounds, end, shown, "\n".join(entries)]
    if dice.random() < 0.1:
        whole[dice.randrange(5)] = dice.choice([None, 0, -1, 10**20, "", "é\ud800", [], {}, [[]]])
    return whole


def _received(seat: Seat, code: str) -> Seat:
    """The seat after a link; the same seat if it is refused."""
    try:
        return links.receive(seat, code, begin)
    except ForgeError as error:
        codes = [issue.code for issue in error.issues]
    assert codes == ["FDF384"]
    return seat


def test_a_link_sealed_anew_never_changes_what_the_receiver_did() -> None:
    dice = random.Random(9)
    for count, (_, seat, code) in enumerate(sent()[2:]):
        for _ in range(MUTANTS // 100):
            game, value = link_code.unpack(code)
            try:
                changed = link_code.pack(game, _changed(value, dice))
            except UnicodeEncodeError:
                continue
            after = _received(seat, changed)
            own, new = seat.table.entries, after.table.entries
            assert all(
                one == two or (one.startswith(SEALED) and two.startswith("="))
                for one, two in zip(own[: seat.heard], new, strict=False)
            ), count
            assert after.table.shown[seat.side][0] >= seat.table.shown[seat.side][0]
            assert after.table.ends == seat.table.ends or not seat.table.ends[1]


def test_a_roll_made_again_is_refused() -> None:
    _, seat, code = sent()[10]
    table = links.read_table(code)
    other = 1 - seat.side
    number, _ = table.shown[other]
    shown = list(table.shown)
    for link in (bytes(link_code.SIZE), table.shown[seat.side][1]):
        shown[other] = (number, link)
        refused(seat, replace(table, shown=(shown[0], shown[1])), "committed to")
    refused(seat, replace(table, entries=(*table.entries, f"!{number + 1}")), "roll again|needs")


def test_a_move_that_the_receiver_made_cannot_be_changed() -> None:
    _, seat, code = sent()[12]
    table = links.read_table(code)
    own = len(seat.table.entries) - 1
    entries = list(table.entries)
    entries[own] = "end turn" if entries[own] != "end turn" else "end"
    refused(seat, replace(table, entries=tuple(entries)), f"move {own + 1} is .* in your game")
    assert links.receive(seat, links.link_of(replace(seat, table=seat.table)), begin) is seat


def test_a_player_cannot_decide_for_the_other_one() -> None:
    me, seat, _ = next(one for one in sent()[4:] if links.decides(links.receive(
        one[1], one[2], begin), begin))  # fmt: skip
    receiver = links.receive(seat, links.link_of(me), begin)
    ahead = links.make(receiver, choose(receiver, random.Random(1)), begin)
    forged = replace(ahead.table, shown=(me.table.shown[0], me.table.shown[1]))
    refused(seat, forged, "it decides for you|no player decides")


def test_another_game_another_map_and_a_second_friend_are_refused() -> None:
    red, blue = seats(4)
    refused(red, seats(5)[1].table, "another game")
    refused(red, replace(blue.table, map="@other"), "its map")
    refused(red, replace(blue.table, rounds=9), "number of rounds")
    offer = links.offer(red.table.map, red.table.rounds, red.secret)
    second = links.join(links.link_of(offer), bytes(16), begin)
    refused(red, second.table, "another player has joined")
    with pytest.raises(ForgeError, match="not stored here"):
        links.join(links.link_of(blue), bytes(16), begin)


def test_a_link_of_version_1_is_read() -> None:
    seat = sent()[-1][0]
    game, value = link_code.unpack(links.link_of(seat))
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    head, body = f"1-{link_code.word(game)}", press.compress(text.encode()) + press.flush()
    packed = link_code.word(body)
    old = f"{head}-{link_code._checked(head, packed)}-{packed}"
    assert links.read_table(old) == seat.table


def test_a_link_of_a_long_game_is_short() -> None:
    for _, _, code in sent():
        table = links.read_table(code)
        items = sum(entry[0] in "?=" for entry in table.entries)
        assert len(code) < 260 + 3 * len(table.entries) + 36 * items


def test_a_link_of_another_version_is_named() -> None:
    code = links.link_of(seats(4)[0])
    for version in "27":
        with pytest.raises(ForgeError, match=f"its version is {version}, and this studio reads 3"):
            links.read_table(version + code[1:])


def _hiding(seed: int) -> tuple[Seat, Seat, list[Seat]]:
    """A player who can hide an item, the other one, and the first one after each such move."""
    both = seats(seed)
    dice = random.Random(seed)
    for turn in range(200):
        side = next((n for n in (0, 1) if links.decides(both[n], begin)), turn % 2)
        me, other = both[side], both[1 - side]
        game = links.game_of(me, begin)
        if game is not None and links.decides(me, begin):
            traps = [str(move) for move in game.legal_moves if move.name == "spring trap"]
            if len(traps) > 1:
                other = links.receive(other, links.link_of(me), begin)
                return me, other, [links.make(me, trap, begin) for trap in traps]
            me = links.make(me, choose(me, dice), begin)
        both[side] = me
        both[1 - side] = links.receive(other, links.link_of(me), begin)
    raise AssertionError("no item can be hidden")


def test_a_hidden_item_cannot_be_seen_in_the_link() -> None:
    _, other, hidden = _hiding(6)
    seen = [links.receive(other, links.link_of(seat), begin) for seat in hidden]
    games = [links.game_of(seat, begin) for seat in seen]
    assert len({seat.table.entries for seat in hidden}) == len(hidden)
    for one, two in combinations(games, 2):
        assert one is not None
        assert two is not None
        assert one.hash == two.hash
        assert one.legal_moves == two.legal_moves
    for seat in hidden:
        assert seat.table.entries[-1].startswith(SEALED)
        assert "spring trap" not in str(link_code.unpack(links.link_of(seat))[1])


def test_an_item_opens_where_it_was_hidden_and_when_it_springs() -> None:
    _, other, hidden = _hiding(6)
    first, second = hidden[:2]
    seen = links.receive(other, links.link_of(first), begin)
    index = len(first.table.entries) - 1
    moved = replace(first.table, entries=(*first.table.entries[:-1], second.notes[-1][1]))
    refused(seen, moved, f"move {index + 1} does not open the item")
    early = replace(first.table, entries=(*first.table.entries[:-1], first.notes[-1][1]))
    refused(seen, early, "at a move that did not spring it")


def test_each_link_of_a_chain_gives_those_before_it_only() -> None:
    secret = random.Random(1).randbytes(link_code.SIZE)
    end = link_code.chain_link(secret, 0)
    for number in some(range(link_code.LINKS + 1), 6):
        link = link_code.chain_link(secret, number)
        assert link_code.is_link(link, number, end)
        assert not link_code.is_link(link, number + 1, end)


def test_each_face_is_as_likely() -> None:
    rolled = link_code.roll(b"game", 1, b"red", b"blue")
    faces = [link_code.below(rolled, 6) for _ in range(6000)]
    assert all(850 < faces.count(face) < 1150 for face in range(6))
    other = link_code.roll(b"game", 2, b"red", b"blue")
    assert faces != [link_code.below(other, 6) for _ in range(6000)]
