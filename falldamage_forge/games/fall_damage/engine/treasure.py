"""Treasure: results of chests, their effects, and the choices that they give the finder."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import notation, terrain_changes, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.effects import end_promo, kill, push_task
from falldamage_forge.games.fall_damage.engine.hidden_items import hide, list_hiding
from falldamage_forge.games.fall_damage.engine.revival import body_of
from falldamage_forge.games.fall_damage.engine.surface_index import nearer


def result_row(roll: int) -> int:
    """Return the row of a result in the treasure table; `roll` is 11 to 66."""
    return (roll // 10 - 1) * 6 + roll % 10 - 1


def applicable(s: StateColumns, i: int, row: int) -> bool:
    """True if a Hero's item is of use to a unit; other results always are.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        row: Row of the result in the result columns, from 0 to 35.
    """
    if s.result_effect[row] != C.GAIN_PLUS:
        return True
    what = s.result_what[row]
    if what == C.A:
        return unit_stats.may_attack(s, i) or unit_stats.has_ability(s, i, C.SPLASH)
    if what == C.R:
        return uses_reach(s, i)
    if what == C.P:
        letter = unit_stats.letter_of(s, i)
        return letter != C.NO_LETTER and letter != C.FRONT and unit_stats.tiles_of(s, i) > 0
    if what == C.J:
        return unit_stats.jump_of(s, i) < C.UNLIMITED
    return True


def uses_reach(s: StateColumns, i: int) -> bool:
    """True if additional Reach is of use to a unit.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    if not s.card_own_reach[s.card[i]]:
        return False
    if unit_stats.may_attack(s, i):
        return True
    mask = s.card_abilities[s.card[i]] & s.action_abilities
    if mask == 0:
        return True
    for ability in range(len(C.ABILITIES)):
        if (
            mask >> ability & 1
            and ability != C.POISON
            and unit_stats.number(s, ability, C.A_REACH) == 0
        ):
            return True
    return False


def nearest_beneficiary(s: StateColumns, i: int, row: int) -> int:
    """Return the nearest friend to whom an item is of use; -1: none.

    Args:
        s: State of the game; read only.
        i: Index of the finder.
        row: Row of the result in the result columns, from 0 to 35.
    """
    found, own = -1, s.spot[i]
    for other in range(s.n_units):
        if s.spot[other] < 0 or other == i or s.side[other] != s.side[i]:
            continue
        if not applicable(s, other, row):
            continue
        if found < 0 or nearer(s.spot[other], s.spot[found], own):
            found = other
    return found


def apply_treasure(s: StateColumns, i: int, roll: int) -> None:
    """Apply a result to its finder, or offer to hand a Hero's item on to a friend.

    Args:
        s: State of the game; changed.
        i: Index of the finder.
        roll: Both dice as one number: first * 10 + second.
    """
    row = result_row(roll)
    if not unit_stats.alive(s, i):
        return
    if applicable(s, i, row):
        take_effect(s, i, row)
    elif s.active == i and not s.acted[i] and nearest_beneficiary(s, i, row) >= 0:
        push_task(s, C.HAND_ON, i, roll)


def take_effect(s: StateColumns, i: int, row: int) -> None:
    """Apply the effect of a result.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        row: Row of the result in the result columns, from 0 to 35.
    """
    effect, what, amount = s.result_effect[row], s.result_what[row], s.result_amount[row]
    if effect == C.GAIN_ASK:
        push_task(s, what, i, amount)
    elif effect == C.GAIN_PLUS:
        give_plus(s, i, what, amount)
    elif effect == C.GAIN_ELIXIR and not s.elixir:
        push_task(s, C.ELIXIR, i)
    elif effect == C.GAIN_ITEM or effect == C.GAIN_ELIXIR:
        shift = 0
        while s.items[i] >> shift:
            shift += 4
        if shift > 56:
            s.lost = C.LOST
        s.items[i] |= (C.ELIXIR_ITEM if effect == C.GAIN_ELIXIR else what) << shift
    elif effect == C.GAIN_FLAG:
        give_flag(s, i, what)
    elif effect == C.GAIN_ZONE:
        push_task(s, C.ZONE, i, what)
    elif effect == C.GAIN_REVERSAL:
        s.reversal_round = s.round + 1
    elif effect == C.GAIN_BLOOD:
        s.attack_plus[i] += amount
        s.blood[i] += s.amounts[C.X_BLOOD]
    elif effect == C.GAIN_WIND:
        pushed = s.side[i] if what else 1 - s.side[i]
        push_task(s, C.WIND, 1 - pushed, pushed, amount)
    elif effect == C.GAIN_PUZZLE:
        push_task(s, C.BOX, i, amount)
    else:
        adrenal(s, i, amount)


def give_plus(s: StateColumns, i: int, stat: int, amount: int) -> None:
    """Add a Hero's item to a value of a unit, for the rest of the game.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        stat: The value, such as `codes.A`.
        amount: Number to add.
    """
    if stat == C.A:
        s.attack_plus[i] += amount
    elif stat == C.R:
        s.reach_plus[i] += amount
    elif stat == C.P:
        s.push_plus[i] += amount
    elif stat == C.M:
        s.move_plus[i] += amount
    else:
        s.jump_plus[i] += amount


def give_flag(s: StateColumns, i: int, flag: int) -> None:
    """Give a unit a Hero's item without an amount.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        flag: The flag, such as `codes.DRUM`.
    """
    if flag == C.DRUM:
        s.drum[i] = 1
    elif flag == C.NO_SIGHT:
        s.no_sight_needed[i] = 1
    elif flag == C.DIAGONAL:
        s.diagonal[i] = 1
    elif flag == C.LEAD:
        s.lead_shoes[i] = 1
    elif flag == C.THORNS:
        s.thorns[i] = 1
    else:
        s.discorporate[i] = 1


def adrenal(s: StateColumns, i: int, amount: int) -> None:
    """Resolve Adrenal Depletion: a free Move now, less Move for the rest of the game.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        amount: Tiles by which its Move shrinks afterwards.

    Source: "-1 Move for rest of game".
    """
    push_task(s, C.TIRE, i, amount)
    beast = s.card[i] == s.beast_card
    if s.vines[i]:
        s.vines[i] = 0
    elif unit_stats.has_ability(s, i, C.UNGOVERNABLE) and (s.active != i or not beast):
        push_task(s, C.FREE_COIN, i)
    else:
        push_task(s, C.FREE_MOVE, i, C.NONE)


def blow_wind(s: StateColumns, side: int, way: int, tiles: int) -> None:
    """Push all units of a side, the farthest along the direction first.

    Args:
        s: State of the game; changed.
        side: Side.
        way: Direction: 0 north, 1 east, 2 south, 3 west.
        tiles: Length in tiles.

    Source: "Northern Wind: All friendly units Pushed 1", "Southern Wind: All enemy units Pushed 1
        direction of your choosing".
    """
    shift = 10 if way == 0 or way == 2 else 4
    outward = way == 1 or way == 2
    # Stacked from the nearest on: the last task is resolved first.
    for k in range(64):
        place = k if outward else 63 - k
        for i in range(s.n_units - 1, -1, -1):
            spot = s.spot[i]
            if spot >= 0 and s.side[i] == side and spot >> shift & 63 == place:
                level = 0 if s.wind_climb else C.NO_LEVEL
                push_task(s, C.PUSH, i, way, tiles, level, 0, spot, C.NONE)


def list_choice(s: StateColumns, name: int, i: int, b: int, c: int) -> None:
    """List the answers of a living finder.

    Args:
        s: State of the game; only work columns change.
        name: The decision, such as `codes.AID`.
        i: Index of the finder.
        b: Second value of the decision.
        c: Third value of the decision.
    """
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
            if other != i and unit_stats.alive(s, other) and s.side[other] == side:
                notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_UNIT, one=other))


def choose(s: StateColumns, name: int, i: int, b: int, c: int, key: int) -> None:
    """Resolve a choice.

    Args:
        s: State of the game; changed.
        name: The decision, such as `codes.AID`.
        i: Index of the finder.
        b: Second value of the decision.
        c: Third value of the decision.
        key: Number of the answer.
    """
    if name <= C.TECTONIC:
        change_ground(s, name, i, b, c, key)
    elif name == C.AID:
        hide(s, i, C.AID_ITEM, notation.spot_in(key))
    elif name == C.BECOME:
        change_card(s, b if b >= 0 else i, notation.decode_word(s, notation.word_in(key)))
    elif name == C.VICTIM:
        push_task(s, C.BECOME, i, notation.unit_in(key))
    elif name == C.GLOVES:
        skill = notation.decode_word(s, notation.word_in(key))
        s.extra[i], s.extra_card[i] = skill >> 6, skill & 63
    elif name == C.SATIATE:
        satiate(s, i, notation.unit_in(key))
    elif name == C.BOTCHED:
        botch(s, i, notation.decode_word(s, notation.word_in(key)))
    else:
        push_task(s, C.REVIVE, notation.unit_in(key), i)


def list_ground(s: StateColumns, name: int, b: int, c: int) -> None:
    """List the tiles for zones, lava, floods and shifts; a flood's direction and length.

    Args:
        s: State of the game; only work columns change.
        name: The decision, such as `codes.ZONE`.
        b: Kind of a zone, or the tile of a flood.
        c: Direction of a flood.
    """
    if name == C.DAM_WAY:
        for way in range(4):
            notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_WAY, way=way))
        return
    if name == C.DAM_LENGTH:
        room = terrain_changes.run_length(s, b, c, s.amounts[C.X_DAM])
        for word in range(s.n_words):
            if s.word_kind[word] == C.W_NUMBER and notation.decode_word(s, word) <= room:
                notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_LENGTH, word=word))
        return
    inner = s.zone_radius[b] if name == C.ZONE and b == C.FOG_ZONE else 0
    for row in range(inner, s.rows - inner):
        for col in range(inner, s.cols - inner):
            tile = row << 6 | col
            if name == C.TECTONIC:
                if terrain_changes.can_shift_column(s, tile, s.standard_piece):
                    notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_RAISE, tile << 4))
                if terrain_changes.can_shift_column(s, tile, -s.standard_piece):
                    notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_SINK, tile << 4))
            elif name != C.ERUPTION or terrain_changes.can_become_lava(s, tile):
                notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_TILE, tile << 4))


def change_ground(s: StateColumns, name: int, i: int, b: int, c: int, key: int) -> None:
    """Resolve a choice of a tile, or stack the next choice of the same result.

    Args:
        s: State of the game; changed.
        name: The decision, such as `codes.ZONE`.
        i: Index of the finder.
        b: Kind of a zone, the eruptions left, or the tile of a flood.
        c: Direction of a flood.
        key: Number of the answer.
    """
    tile = notation.spot_in(key) >> 4
    if name == C.ZONE:
        terrain_changes.add_zone(s, b, s.side[i] if b == C.ROPES_ZONE else -1, tile)
    elif name == C.ERUPTION:
        terrain_changes.turn_into(s, tile, C.FIRE)
        if b > 1:
            push_task(s, C.ERUPTION, i, b - 1)
    elif name == C.DAM_TILE:
        push_task(s, C.DAM_WAY, i, tile)
    elif name == C.DAM_WAY:
        push_task(s, C.DAM_LENGTH, i, b, notation.way_in(key))
    elif name == C.DAM_LENGTH:
        terrain_changes.flood_line(s, b, c, notation.decode_word(s, notation.word_in(key)))
    else:
        step = s.standard_piece
        terrain_changes.shift_column(s, tile, step if notation.name_in(key) == C.M_RAISE else -step)


def list_words(s: StateColumns, name: int, i: int) -> None:
    """List cards to become, abilities of living enemies, or pairs of values to swap.

    Args:
        s: State of the game; only work columns change.
        name: The decision: `codes.BECOME`, `codes.GLOVES` or `codes.BOTCHED`.
        i: Index of the finder.
    """
    foe = 1 - s.side[i]
    for word in range(s.n_words):
        kind, what = s.word_kind[word], notation.decode_word(s, word)
        if name == C.BECOME and kind == C.W_CARD:
            notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_CARD, word=word))
        elif name == C.GLOVES and kind == C.W_SKILL and plays(s, foe, what & 63):
            notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_ABILITY, word=word))
        elif name == C.BOTCHED and kind == C.W_STATS and swaps(s, i, what >> 6, what & 63):
            notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_STATS, word=word))


def plays(s: StateColumns, side: int, card: int) -> bool:
    """True if a side has a living unit of a card.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        card: Number of the card.
    """
    for i in range(s.n_units):
        if unit_stats.alive(s, i) and s.side[i] == side and s.card[i] == card:
            return True
    return False


def list_fallen(s: StateColumns, side: int) -> None:
    """List a side's fallen units that may be revived.

    Args:
        s: State of the game; only work columns change.
        side: 0 red, 1 blue.
    """
    for i in range(s.n_units):
        if s.side[i] == side and body_of(s, i) >= 0:
            notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_UNIT, one=i))


def change_card(s: StateColumns, i: int, new: int) -> None:
    """Give a unit another card; its treasure, statuses and damage stay.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        new: Number of the new card.
    """
    lost = s.max_health[i] - s.health[i]
    s.max_health[i] += s.printed[new * C.STATS + C.H] - unit_stats.printed_stat(s, i, C.H)
    if s.change_health == C.HEALTH_FULL:
        s.health[i] = s.max_health[i]
    elif s.change_health == C.KEEP_HEALTH:
        s.health[i] = min(s.health[i], s.max_health[i])
    else:
        s.health[i] = max(1, s.max_health[i] - lost)
    s.card[i] = new
    for stat in range(C.M, C.P + 1):
        s.own[i * C.STATS + stat] = -1


def satiate(s: StateColumns, i: int, friend: int) -> None:
    """Sacrifice a friend; its Attack and Health are added to the unit's.

    Args:
        s: State of the game; changed.
        i: Index of the unit that gains.
        friend: Index of the sacrificed unit.
    """
    s.attack_plus[i] += unit_stats.printed_stat(s, friend, C.A) + s.attack_plus[friend]
    s.health[i] += s.health[friend]
    s.max_health[i] += s.health[friend]
    end_promo(s, friend)
    kill(s, friend, C.BY_SACRIFICE, C.NONE)


def swappable(s: StateColumns, i: int, stat: int) -> bool:
    """True if a value can be swapped: it is printed and not unlimited.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        stat: The value, such as `codes.A`.
    """
    row, value = s.card[i], unit_stats.printed_stat(s, i, stat)
    if value >= C.UNLIMITED or (stat == C.R and not s.card_own_reach[row]):
        return False
    if stat != C.P:
        return True
    return value != 0 and s.card_letter[row] != C.NO_LETTER and s.card_letter[row] != C.FRONT


def swaps(s: StateColumns, i: int, one: int, other: int) -> bool:
    """True if two values can be swapped and the unit survives it.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        one: First value, such as `codes.A`.
        other: Second value.
    """
    if not swappable(s, i, one) or not swappable(s, i, other):
        return False
    if one != C.H and other != C.H:
        return True
    new = unit_stats.printed_stat(s, i, other if one == C.H else one)
    return min(s.health[i] + new - unit_stats.printed_stat(s, i, C.H), new) >= 1


def botch(s: StateColumns, i: int, pair: int) -> None:
    """Swap two values of a unit.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        pair: Both values as one number: first * 64 + second.
    """
    one, other = pair >> 6, pair & 63
    a, b, old = (
        unit_stats.printed_stat(s, i, one),
        unit_stats.printed_stat(s, i, other),
        unit_stats.printed_stat(s, i, C.H),
    )
    s.own[i * C.STATS + one], s.own[i * C.STATS + other] = b, a
    if one == C.H or other == C.H:
        new = unit_stats.printed_stat(s, i, C.H)
        s.health[i], s.max_health[i] = min(s.health[i] + new - old, new), new
