"""What treasure lets its finder choose: tiles, ways, cards, abilities, values, units."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.effects import end_promo, kill
from falldamage_forge.games.fall_damage.engine.hidden_items import hide, list_hiding
from falldamage_forge.games.fall_damage.engine.notation import (
    add,
    key_of,
    meaning,
    name_in,
    spot_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.games.fall_damage.engine.revival import body_of
from falldamage_forge.games.fall_damage.engine.terrain_changes import (
    add_zone,
    burnable,
    flood_line,
    may_shift,
    run_length,
    shift,
    turn_into,
)
from falldamage_forge.games.fall_damage.engine.unit_stats import alive, printed


def list_choice(s: State, name: int, i: int, b: int, c: int) -> None:
    """List what a living finder may choose."""
    if name <= C.TECTONIC:
        list_ground(s, name, b, c)
    elif name == C.AID:
        list_hiding(s, i, 0, C.K_CHOICE, C.M_TILE)
    elif name == C.BECOME or name == C.GLOVES or name == C.BOTCHED:
        list_words(s, name, i)
    elif name == C.UNHOLY:
        list_fallen(s, s.side[i])
    else:
        side = s.side[i] if name == C.SATIATE else 1 - s.side[i]
        for other in range(s.n_units):
            if other != i and alive(s, other) and s.side[other] == side:
                add(s, key_of(C.K_CHOICE, C.M_UNIT, one=other))


def choose(s: State, name: int, i: int, b: int, c: int, key: int) -> None:
    """Do what was chosen."""
    if name <= C.TECTONIC:
        change_ground(s, name, i, b, c, key)
    elif name == C.AID:
        hide(s, i, C.AID_ITEM, spot_in(key))
    elif name == C.BECOME:
        become(s, b if b >= 0 else i, meaning(s, word_in(key)))
    elif name == C.VICTIM:
        owe(s, C.BECOME, i, unit_in(key))
    elif name == C.GLOVES:
        skill = meaning(s, word_in(key))
        s.extra[i], s.extra_card[i] = skill >> 6, skill & 63
    elif name == C.SATIATE:
        satiate(s, i, unit_in(key))
    elif name == C.BOTCHED:
        botch(s, i, meaning(s, word_in(key)))
    else:
        owe(s, C.REVIVE, unit_in(key), i)


def list_ground(s: State, name: int, b: int, c: int) -> None:
    """Tiles for zones, lava, floods and shifts; a flood's way and length."""
    if name == C.DAM_WAY:
        for way in range(4):
            add(s, key_of(C.K_CHOICE, C.M_WAY, way=way))
        return
    if name == C.DAM_LENGTH:
        room = run_length(s, b, c, s.amounts[C.X_DAM])
        for word in range(s.n_words):
            if s.word_kind[word] == C.W_NUMBER and meaning(s, word) <= room:
                add(s, key_of(C.K_CHOICE, C.M_LENGTH, word=word))
        return
    inner = 1 if name == C.ZONE and b == C.FOG_ZONE else 0
    for row in range(inner, s.rows - inner):
        for col in range(inner, s.cols - inner):
            tile = row << 6 | col
            if name == C.TECTONIC:
                if may_shift(s, tile, s.standard_piece):
                    add(s, key_of(C.K_CHOICE, C.M_RAISE, tile << 4))
                if may_shift(s, tile, -s.standard_piece):
                    add(s, key_of(C.K_CHOICE, C.M_SINK, tile << 4))
            elif name != C.ERUPTION or burnable(s, tile):
                add(s, key_of(C.K_CHOICE, C.M_TILE, tile << 4))


def change_ground(s: State, name: int, i: int, b: int, c: int, key: int) -> None:
    """What happens to the tile chosen, or what is asked next."""
    tile = spot_in(key) >> 4
    if name == C.ZONE:
        add_zone(s, b, s.side[i] if b == C.ROPES_ZONE else -1, tile)
    elif name == C.ERUPTION:
        turn_into(s, tile, C.FIRE)
        if b > 1:
            owe(s, C.ERUPTION, i, b - 1)
    elif name == C.DAM_TILE:
        owe(s, C.DAM_WAY, i, tile)
    elif name == C.DAM_WAY:
        owe(s, C.DAM_LENGTH, i, b, way_in(key))
    elif name == C.DAM_LENGTH:
        flood_line(s, b, c, meaning(s, word_in(key)))
    else:
        step = s.standard_piece
        shift(s, tile, step if name_in(key) == C.M_RAISE else -step)


def list_words(s: State, name: int, i: int) -> None:
    """Cards to become, abilities of living enemies, or pairs of values to swap."""
    foe = 1 - s.side[i]
    for word in range(s.n_words):
        kind, what = s.word_kind[word], meaning(s, word)
        if name == C.BECOME and kind == C.W_CARD:
            add(s, key_of(C.K_CHOICE, C.M_CARD, word=word))
        elif name == C.GLOVES and kind == C.W_SKILL and plays(s, foe, what & 63):
            add(s, key_of(C.K_CHOICE, C.M_ABILITY, word=word))
        elif name == C.BOTCHED and kind == C.W_STATS and swaps(s, i, what >> 6, what & 63):
            add(s, key_of(C.K_CHOICE, C.M_STATS, word=word))


def plays(s: State, side: int, card: int) -> bool:
    """Whether a side has a living unit of a card."""
    for i in range(s.n_units):
        if alive(s, i) and s.side[i] == side and s.card[i] == card:
            return True
    return False


def list_fallen(s: State, side: int) -> None:
    """Fallen units of a side that may stand up again."""
    for i in range(s.n_units):
        if s.side[i] == side and body_of(s, i) >= 0:
            add(s, key_of(C.K_CHOICE, C.M_UNIT, one=i))


def become(s: State, i: int, new: int) -> None:
    """Another card: treasure, statuses and damage taken stay."""
    lost = s.max_health[i] - s.health[i]
    s.max_health[i] += s.printed[new * C.STATS + C.H] - printed(s, i, C.H)
    if s.change_health == C.HEALTH_FULL:
        s.health[i] = s.max_health[i]
    elif s.change_health == C.KEEP_HEALTH:
        s.health[i] = min(s.health[i], s.max_health[i])
    else:
        s.health[i] = max(1, s.max_health[i] - lost)
    s.card[i] = new
    for stat in range(C.M, C.P + 1):
        s.own[i * C.STATS + stat] = -1


def satiate(s: State, i: int, friend: int) -> None:
    """A friend is eaten: its Attack and Health go over."""
    s.attack_plus[i] += printed(s, friend, C.A) + s.attack_plus[friend]
    s.health[i] += s.health[friend]
    s.max_health[i] += s.health[friend]
    end_promo(s, friend)
    kill(s, friend, C.BY_SACRIFICE, C.NONE)


def swappable(s: State, i: int, stat: int) -> bool:
    """Whether a value can be swapped: a printed number, nothing unlimited."""
    row, value = s.card[i], printed(s, i, stat)
    if value >= C.UNLIMITED or (stat == C.R and not s.card_own_reach[row]):
        return False
    if stat != C.P:
        return True
    return value != 0 and s.card_letter[row] != C.NO_LETTER and s.card_letter[row] != C.FRONT


def swaps(s: State, i: int, one: int, other: int) -> bool:
    """Whether two values can be swapped, and who does it lives on."""
    if not swappable(s, i, one) or not swappable(s, i, other):
        return False
    if one != C.H and other != C.H:
        return True
    new = printed(s, i, other if one == C.H else one)
    return min(s.health[i] + new - printed(s, i, C.H), new) >= 1


def botch(s: State, i: int, pair: int) -> None:
    """Two values change places."""
    one, other = pair >> 6, pair & 63
    a, b, old = printed(s, i, one), printed(s, i, other), printed(s, i, C.H)
    s.own[i * C.STATS + one], s.own[i * C.STATS + other] = b, a
    if one == C.H or other == C.H:
        new = printed(s, i, C.H)
        s.health[i], s.max_health[i] = min(s.health[i] + new - old, new), new
