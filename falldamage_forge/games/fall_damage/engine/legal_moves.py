"""Legal actions of a unit: attacks, items and abilities."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import surface_index, targeting, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.hidden_items import list_hiding
from falldamage_forge.games.fall_damage.engine.line_of_sight import in_sight
from falldamage_forge.games.fall_damage.engine.notation import append_move, key_of
from falldamage_forge.games.fall_damage.engine.push import front, other_front
from falldamage_forge.games.fall_damage.engine.revival import beside_free, raisable
from falldamage_forge.games.fall_damage.engine.terrain_changes import lays_bricks, takes_bricks


def list_actions(s: StateColumns, i: int) -> None:
    """List every action that a unit may take now.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
    """
    if not s.acted[i]:
        list_attacks(s, i)
        if s.items[i]:
            list_items(s, i)
        if s.crumble == C.CRUMBLE_OWN and lays_bricks(s, i):
            append_move(s, key_of(C.K_ACT, C.M_CRUMBLE))
    list_abilities(s, i)


def list_attacks(s: StateColumns, i: int) -> None:
    """List every plain Attack, on units and on terrain targets.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
    """
    if not unit_stats.may_attack(s, i):
        return
    rooted = unit_stats.has_ability(s, i, C.ROOTED) and s.moved[i] == 0 and s.active == i
    list_blows(s, i, rooted)
    list_sieges(s, i, rooted)


def list_blows(s: StateColumns, i: int, rooted: int) -> None:
    """List every plain Attack on a unit.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        rooted: 1 if the attack is Rooted.
    """
    for other in range(s.n_units):
        if s.spot[other] < 0 or other == i:
            continue
        if s.side[other] == s.side[i] and not s.attack_friends:
            continue
        if targeting.can_attack_surface(s, i, s.spot[other]):
            letter = unit_stats.letter_of(s, i)
            turns = letter != C.NO_LETTER and letter != C.FRONT
            second = other_front(s, s.spot[i], s.spot[other]) if turns else -1
            first = front(s.spot[i], s.spot[other]) if second >= 0 else -1
            add_attack(s, rooted, one=other, way=first)
            if second >= 0:
                add_attack(s, rooted, one=other, way=second)


def add_attack(
    s: StateColumns, rooted: int, where: int = -16, word: int = 0, one: int = -1, way: int = -1
) -> None:
    """List an attack on a unit or a terrain target; `way` is the facing if there are two.

    Args:
        s: State of the game; only work columns change.
        rooted: 1 if the attack is Rooted.
        where: Surface index of a terrain target; -16 for an attack on a unit.
        word: Word of a terrain target.
        one: Index of the attacked unit; -1 for a terrain target.
        way: Facing of the attacker on an exact diagonal; -1 if it has one only.
    """
    append_move(s, key_of(C.K_ACT, C.M_ATTACK, where, word=word, one=one, way=way))
    if rooted:
        append_move(s, key_of(C.K_ACT, C.M_ROOTED, where, word=word, one=one, way=way))


def list_sieges(s: StateColumns, i: int, rooted: int) -> None:
    """List the trees, spires, bridges and ladders that a unit can attack.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        rooted: 1 if the attack is Rooted.
    """
    for n in range(s.n_features):
        tile = s.feature_tiles[n]
        spot = targeting.aim_at_feature(s, i, tile)
        if spot >= 0:
            add_attack(s, rooted, spot, s.tile_word[tile])
    for n in range(s.n_decks):
        spot = targeting.aim_at_deck(s, i, n)
        if spot >= 0:
            add_attack(s, rooted, spot, s.deck_word[n])
    for n in range(s.n_ladders):
        spot = targeting.aim_at_ladder(s, i, n)
        if spot >= 0:
            add_attack(s, rooted, spot, s.ladder_word[n])


def list_items(s: StateColumns, i: int) -> None:
    """List every use of a unit's items.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
    """
    items, done = s.items[i], 0
    while items:
        item = items & 15
        items >>= 4
        if done >> item & 1:
            continue
        done |= 1 << item
        if item == C.ELIXIR_ITEM:
            append_move(s, key_of(C.K_ACT, C.M_ELIXIR, word=s.total_word))
            if s.health[i] < s.max_health[i] or s.empty_actions:
                append_move(s, key_of(C.K_ACT, C.M_ELIXIR, word=s.heal_word))
        elif item == C.GRENADE or item == C.URN:
            name = C.MOVE_OF_ITEM[item]
            crowded = item == C.GRENADE and not s.empty_actions
            sight = C.FREE_ITEM + item
            list_aims(s, i, name, s.item_reach[item], s.item_radius[item], crowded, C.NONE, sight)
        else:
            list_item_strikes(s, i, item, s.item_reach[item])


def list_item_strikes(s: StateColumns, i: int, item: int, reach: int) -> None:
    """List the enemies on which an item can be used.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        item: Number of the item, such as `codes.KNIFE`.
        reach: Reach in tiles.
    """
    own, name = s.spot[i], C.MOVE_OF_ITEM[item]
    for other in range(s.n_units):
        spot = s.spot[other]
        if spot < 0 or other == i or (s.side[other] == s.side[i] and not s.attack_friends):
            continue
        if item == C.CANNON and spot & 15 <= own & 15:
            continue
        if targeting.ability_reaches(s, i, spot, reach, C.FREE_ITEM + item):
            second = other_front(s, own, spot) if s.item_letter[item] != C.NO_LETTER else -1
            first = front(own, spot) if second >= 0 else -1
            append_move(s, key_of(C.K_ACT, name, one=other, way=first))
            if second >= 0:
                append_move(s, key_of(C.K_ACT, name, one=other, way=second))


def list_aims(
    s: StateColumns, i: int, name: int, reach: int, radius: int, crowded: int, side: int, what: int
) -> None:
    """List the surfaces at which an area ability may be aimed.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        name: Name of the move.
        reach: Reach in tiles.
        radius: Radius in tiles; below 0 for bricks: every tile that takes them, and for a Partition
            each direction.
        crowded: 1 if a unit must be in the area.
        side: Side of that unit; -1 for any.
        what: Ability or item, for its line of sight.
    """
    own, wide = s.spot[i], max(reach, 1)
    blind = reach <= 1 or not targeting.needs_sight(s, i, what)
    for row in range(max((own >> 10) - wide, 0), min((own >> 10) + wide, s.rows - 1) + 1):
        left, right = (own >> 4 & 63) - wide, (own >> 4 & 63) + wide
        for col in range(max(left, 0), min(right, s.cols - 1) + 1):
            tile = row << 6 | col
            stand = s.stand[tile]
            if not stand or tile == own >> 4 or (radius < 0 and not takes_bricks(s, tile)):
                continue
            for level in range(16):
                aim = tile << 4 | level
                if not stand >> level & 1 or not surface_index.in_reach(s, own, aim, reach):
                    continue
                if crowded and not targeting.holds_somebody(s, aim, radius, side):
                    continue
                if not blind and not in_sight(s, own, aim):
                    continue
                if name == C.M_PARTITION:
                    list_walls(s, aim)
                else:
                    append_move(s, key_of(C.K_ACT, name, aim))


def list_walls(s: StateColumns, aim: int) -> None:
    """List the directions of a Partition from an aim.

    Args:
        s: State of the game; only work columns change.
        aim: Surface index of the first tile with bricks.
    """
    count = unit_stats.number(s, C.PARTITION, C.A_TILES)
    for way in range(4):
        tile, room = aim >> 4, 1
        while room < count:
            tile = s.near[tile * 4 + way]
            if tile < 0 or not takes_bricks(s, tile):
                break
            room += 1
        if room == count:
            append_move(s, key_of(C.K_ACT, C.M_PARTITION, aim, way=way))


def list_abilities(s: StateColumns, i: int) -> None:
    """List every use of an ability that takes the Action.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
    """
    mask = s.card_abilities[s.card[i]]
    if s.extra[i] >= 0:
        mask |= 1 << s.extra[i]
    # Free abilities (an option) are legal once per activation, others before the Action.
    free = s.free_actions & ~s.used[i]
    mask &= free if s.acted[i] else free | ~s.free_actions
    if mask >> C.BOMB & 1:
        list_area(s, i, C.M_BOMB, C.BOMB, C.NONE)
    if mask >> C.SPRING & 1:
        list_hiding(s, i, unit_stats.reach_with(s, i, C.SPRING), C.K_ACT, C.M_SPRING)
    if mask >> C.SPLASH & 1:
        list_area(s, i, C.M_SPLASH, C.SPLASH, C.NONE)
    if mask >> C.SWAP & 1:
        list_swaps(s, i)
    if mask >> C.CATCH & 1:
        list_catches(s, i)
    if mask >> C.SCAFFOLD & 1:
        list_aims(
            s, i, C.M_SCAFFOLD, unit_stats.reach_with(s, i, C.SCAFFOLD), -1, C.NO, -1, C.SCAFFOLD
        )
    if mask >> C.PARTITION & 1:
        list_aims(
            s, i, C.M_PARTITION, unit_stats.reach_with(s, i, C.PARTITION), -1, C.NO, -1, C.PARTITION
        )
    if mask >> C.BIND & 1:
        list_area(s, i, C.M_VINES, C.BIND, 1 - s.side[i])
    if mask >> C.WEREWOLF & 1:
        append_move(s, key_of(C.K_ACT, C.M_WEREWOLF))
    if mask >> C.RAISE & 1:
        list_raises(s, i)
    if mask >> C.PROMOTE & 1:
        list_promo(s, i)
    if mask >> C.POTION & 1:
        list_healing(s, i, C.POTION, C.M_POTION)
    if mask >> C.BANDAGE & 1:
        list_healing(s, i, C.BANDAGE, C.M_BANDAGE)
    if mask >> C.POISON & 1:
        list_mists(s, i)
    if mask >> C.STAB & 1:
        list_stabs(s, i)


def list_area(s: StateColumns, i: int, name: int, ability: int, side: int) -> None:
    """List the aims of an area ability with a unit in it (of `side`, -1: any).

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        name: Name of the listed moves, such as `codes.M_BOMB`.
        ability: Number of the ability, such as `codes.BOMB`.
        side: Side of which the area must hold a unit; -1 for any.
    """
    radius = unit_stats.number(s, ability, C.A_RADIUS)
    crowded = s.empty_actions == 0
    list_aims(s, i, name, unit_stats.reach_with(s, i, ability), radius, crowded, side, ability)


def list_swaps(s: StateColumns, i: int) -> None:
    """List the pairs of units within reach of a swap.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit that swaps.
    """
    reach, count = unit_stats.reach_with(s, i, C.SWAP), 0
    for other in range(s.n_units):
        spot = s.spot[other]
        own = other == i and s.swap_self == 1
        if spot >= 0 and (
            own or (other != i and targeting.ability_reaches(s, i, spot, reach, C.SWAP))
        ):
            s.members[count] = other
            count += 1
    for a in range(count):
        for b in range(a + 1, count):
            one, two = s.members[a], s.members[b]
            append_move(s, key_of(C.K_ACT, C.M_SWAP, one=one, two=two))


def list_catches(s: StateColumns, i: int) -> None:
    """List the enemies that can be thrown over.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit that throws.

    Source: "Teleport enemy equal distance behind you".
    """
    reach = unit_stats.reach_with(s, i, C.CATCH)
    for other in range(s.n_units):
        if s.spot[other] < 0 or s.side[other] == s.side[i]:
            continue
        if targeting.behind(s, i, other) >= 0 and targeting.ability_reaches(
            s, i, s.spot[other], reach, C.CATCH
        ):
            append_move(s, key_of(C.K_ACT, C.M_CATCH, one=other))


def list_raises(s: StateColumns, i: int) -> None:
    """List the bodies, or pairs of bodies, that may be raised.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit that raises them.
    """
    count = 0
    for n in range(s.n_bodies):
        spot = s.body_spot[n]
        known = False
        for k in range(count):
            known = known or s.members[k] == spot
        if not known and raisable(s, i, spot) >= 0:
            s.members[count] = spot
            count += 1
    most = unit_stats.number(s, C.RAISE, C.A_AMOUNT)
    if s.raise_limit:
        most = min(most, most - s.raised[s.side[i]])
    if s.raise_where:
        most = min(most, beside_free(s, i, C.NO))
    for a in range(count):
        if most >= 1:
            append_move(s, key_of(C.K_ACT, C.M_RAISE, s.members[a]))
        for b in range(count):
            one, two = s.members[a], s.members[b]
            if most >= 2 and one < two:
                append_move(s, key_of(C.K_ACT, C.M_RAISE, one, two))


def list_promo(s: StateColumns, i: int) -> None:
    """List Promo if it reaches an enemy.

    Args:
        s: State of the game; only work columns change.
        i: Index of the Wrestler.
    """
    for other in range(s.n_units):
        if s.empty_actions or targeting.promo_reaches(s, i, other):
            append_move(s, key_of(C.K_ACT, C.M_PROMO))
            return


def list_healing(s: StateColumns, i: int, ability: int, name: int) -> None:
    """List the units that a Medic can help, and the Skeletons that a potion damages.

    Args:
        s: State of the game; only work columns change.
        i: Index of the Medic.
        ability: `codes.BANDAGE` or `codes.POTION`.
        name: Name of the listed moves, such as `codes.M_BANDAGE`.

    Source: "Throw Potion Reach 3 Heal +3, damages skeletons".
    """
    reach = unit_stats.reach_with(s, i, ability)
    skeleton = s.skeleton_card
    for other in range(s.n_units):
        if s.spot[other] < 0:
            continue
        friend = s.side[other] == s.side[i]
        lacks = s.health[other] < s.max_health[other] or s.empty_actions == 1
        wanted = friend and lacks and (other != i or s.heal_self == 1)
        if ability == C.POTION and s.card[other] == skeleton:
            wanted = not friend or s.potion_skeletons == 1
        near = other == i or targeting.ability_reaches(s, i, s.spot[other], reach, ability)
        if wanted and near:
            append_move(s, key_of(C.K_ACT, name, one=other))


def list_mists(s: StateColumns, i: int) -> None:
    """List the directions of a Poison Mist that hold a unit without a mist.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit that spreads it.
    """
    own = s.spot[i]
    for way in range(4):
        if s.empty_actions:
            append_move(s, key_of(C.K_ACT, C.M_POISON, way=way))
            continue
        for other in range(s.n_units):
            if s.spot[other] >= 0 and not s.mist[other]:
                if targeting.cone_holds(s, own, way, s.spot[other]):
                    append_move(s, key_of(C.K_ACT, C.M_POISON, way=way))
                    break


def list_stabs(s: StateColumns, i: int) -> None:
    """List the enemies that a Syringe reaches.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit with the Syringe.
    """
    reach = unit_stats.reach_with(s, i, C.STAB)
    for other in range(s.n_units):
        if s.spot[other] < 0 or s.side[other] == s.side[i]:
            continue
        if s.syringe[other] and not s.empty_actions:
            continue
        if targeting.ability_reaches(s, i, s.spot[other], reach, C.STAB):
            append_move(s, key_of(C.K_ACT, C.M_SYRINGE, one=other))
