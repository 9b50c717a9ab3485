"""Every action a unit may take."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.hidden_items import list_hiding
from falldamage_forge.games.fall_damage.engine.line_of_sight import in_sight
from falldamage_forge.games.fall_damage.engine.notation import add, key_of
from falldamage_forge.games.fall_damage.engine.push import front, other_front
from falldamage_forge.games.fall_damage.engine.revival import beside_free, raisable
from falldamage_forge.games.fall_damage.engine.surface_index import (
    in_reach,
    melee_near,
)
from falldamage_forge.games.fall_damage.engine.targeting import (
    aim_at_deck,
    aim_at_feature,
    aim_at_ladder,
    behind,
    cone_holds,
    holds_somebody,
    needs_sight,
    promoted,
    reaches,
    strikes,
)
from falldamage_forge.games.fall_damage.engine.terrain_changes import lays_bricks, takes_bricks
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    has,
    letter_of,
    may_attack,
    number,
    reach_with,
)


def list_actions(s: State, i: int) -> None:
    """Every action a unit may take now."""
    if not s.acted[i]:
        list_attacks(s, i)
        if s.items[i]:
            list_items(s, i)
        if s.crumble == C.CRUMBLE_OWN and lays_bricks(s, i):
            add(s, key_of(C.K_ACT, C.M_CRUMBLE))
    list_abilities(s, i)


def list_attacks(s: State, i: int) -> None:
    """Every plain Attack."""
    if not may_attack(s, i):
        return
    rooted = has(s, i, C.ROOTED) and s.moved[i] == 0 and s.active == i
    list_blows(s, i, rooted)
    list_sieges(s, i, rooted)


def list_blows(s: State, i: int, rooted: int) -> None:
    """Every plain Attack on a unit."""
    for other in range(s.n_units):
        if s.spot[other] < 0 or other == i:
            continue
        if s.side[other] == s.side[i] and not s.attack_friends:
            continue
        if strikes(s, i, s.spot[other]):
            letter = letter_of(s, i)
            turns = letter != C.NO_LETTER and letter != C.FRONT
            second = other_front(s, s.spot[i], s.spot[other]) if turns else -1
            first = front(s.spot[i], s.spot[other]) if second >= 0 else -1
            add_attack(s, other, first, rooted)
            if second >= 0:
                add_attack(s, other, second, rooted)


def add_attack(s: State, other: int, way: int, rooted: int) -> None:
    """An attack on a unit, faced a way where there are two."""
    add(s, key_of(C.K_ACT, C.M_ATTACK, one=other, way=way))
    if rooted:
        add(s, key_of(C.K_ACT, C.M_ROOTED, one=other, way=way))


def add_siege(s: State, spot: int, word: int, rooted: int) -> None:
    """An attack on a piece of terrain."""
    add(s, key_of(C.K_ACT, C.M_ATTACK, spot, word=word))
    if rooted:
        add(s, key_of(C.K_ACT, C.M_ROOTED, spot, word=word))


def list_sieges(s: State, i: int, rooted: int) -> None:
    """Trees, spires, bridges and ladders that may be hit."""
    for n in range(s.n_features):
        tile = s.feature_tiles[n]
        spot = aim_at_feature(s, i, tile)
        if spot >= 0:
            add_siege(s, spot, s.tile_word[tile], rooted)
    for n in range(s.n_decks):
        spot = aim_at_deck(s, i, n)
        if spot >= 0:
            add_siege(s, spot, s.deck_word[n], rooted)
    for n in range(s.n_ladders):
        spot = aim_at_ladder(s, i, n)
        if spot >= 0:
            add_siege(s, spot, s.ladder_word[n], rooted)


def list_items(s: State, i: int) -> None:
    """Every use of every item."""
    items, done = s.items[i], 0
    while items:
        item = items & 15
        items >>= 4
        if done >> item & 1:
            continue
        done |= 1 << item
        if item == C.ELIXIR_ITEM:
            add(s, key_of(C.K_ACT, C.M_ELIXIR, word=s.total_word))
            if s.health[i] < s.max_health[i] or s.empty_actions:
                add(s, key_of(C.K_ACT, C.M_ELIXIR, word=s.heal_word))
        elif item == C.GRENADE or item == C.URN:
            name = C.M_GRENADE if item == C.GRENADE else C.M_QUICKSAND
            crowded = item == C.GRENADE and not s.empty_actions
            sight = C.FREE_ITEM + item
            list_aims(s, i, name, s.item_reach[item], s.item_radius[item], crowded, C.NONE, sight)
        else:
            list_item_strikes(s, i, item, s.item_reach[item])


def list_item_strikes(s: State, i: int, item: int, reach: int) -> None:
    """Enemies an item can be used on."""
    own = s.spot[i]
    name = C.M_KNIFE
    if item == C.CANNON:
        name = C.M_CANNON
    elif item == C.CELESTIAL:
        name = C.M_CELESTIAL
    for other in range(s.n_units):
        spot = s.spot[other]
        if spot < 0 or other == i or (s.side[other] == s.side[i] and not s.attack_friends):
            continue
        if item == C.CANNON and spot & 15 <= own & 15:
            continue
        if reach <= 1:
            near = melee_near(s, own, spot, 0)
        else:
            near = in_reach(s, own, spot, reach) and (
                not needs_sight(s, i, C.FREE_ITEM + item) or in_sight(s, own, spot)
            )
        if near:
            second = other_front(s, own, spot) if s.item_letter[item] != C.NO_LETTER else -1
            first = front(own, spot) if second >= 0 else -1
            add(s, key_of(C.K_ACT, name, one=other, way=first))
            if second >= 0:
                add(s, key_of(C.K_ACT, name, one=other, way=second))


def list_aims(
    s: State, i: int, name: int, reach: int, radius: int, crowded: int, side: int, what: int
) -> None:
    """Surfaces an area may be aimed at; `crowded` asks that somebody be in it.

    A radius below 0 stands for bricks: every surface whose tile takes them, and for a Partition
    each way it may run.
    """
    own, wide = s.spot[i], max(reach, 1)
    blind = reach <= 1 or not needs_sight(s, i, what)
    for row in range(max((own >> 10) - wide, 0), min((own >> 10) + wide, s.rows - 1) + 1):
        left, right = (own >> 4 & 63) - wide, (own >> 4 & 63) + wide
        for col in range(max(left, 0), min(right, s.cols - 1) + 1):
            tile = row << 6 | col
            stand = s.stand[tile]
            if not stand or tile == own >> 4 or (radius < 0 and not takes_bricks(s, tile)):
                continue
            for level in range(16):
                aim = tile << 4 | level
                if not stand >> level & 1 or not in_reach(s, own, aim, reach):
                    continue
                if crowded and not holds_somebody(s, aim, radius, side):
                    continue
                if not blind and not in_sight(s, own, aim):
                    continue
                if name == C.M_PARTITION:
                    list_walls(s, aim)
                else:
                    add(s, key_of(C.K_ACT, name, aim))


def list_walls(s: State, aim: int) -> None:
    """The ways a Partition may run from an aim."""
    count = number(s, C.PARTITION, C.A_TILES)
    for way in range(4):
        tile, room = aim >> 4, 1
        while room < count:
            tile = s.near[tile * 4 + way]
            if tile < 0 or not takes_bricks(s, tile):
                break
            room += 1
        if room == count:
            add(s, key_of(C.K_ACT, C.M_PARTITION, aim, way=way))


def list_abilities(s: State, i: int) -> None:
    """Every use of an ability that takes the Action."""
    mask = s.card_abilities[s.card[i]]
    if s.extra[i] >= 0:
        mask |= 1 << s.extra[i]
    # What an option makes free may be used once an activation, the rest while nothing was done.
    free = s.free_actions & ~s.used[i]
    mask &= free if s.acted[i] else free | ~s.free_actions
    if mask >> C.BOMB & 1:
        list_area(s, i, C.M_BOMB, C.BOMB, C.NONE)
    if mask >> C.SPRING & 1:
        list_hiding(s, i, reach_with(s, i, C.SPRING), C.K_ACT, C.M_SPRING)
    if mask >> C.SPLASH & 1:
        list_area(s, i, C.M_SPLASH, C.SPLASH, C.NONE)
    if mask >> C.SWAP & 1:
        list_swaps(s, i)
    if mask >> C.CATCH & 1:
        list_catches(s, i)
    if mask >> C.SCAFFOLD & 1:
        list_aims(s, i, C.M_SCAFFOLD, reach_with(s, i, C.SCAFFOLD), -1, C.NO, -1, C.SCAFFOLD)
    if mask >> C.PARTITION & 1:
        list_aims(s, i, C.M_PARTITION, reach_with(s, i, C.PARTITION), -1, C.NO, -1, C.PARTITION)
    if mask >> C.BIND & 1:
        list_area(s, i, C.M_VINES, C.BIND, 1 - s.side[i])
    if mask >> C.WEREWOLF & 1:
        add(s, key_of(C.K_ACT, C.M_WEREWOLF))
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


def list_area(s: State, i: int, name: int, ability: int, side: int) -> None:
    """Aims of an area ability with somebody (of a side) in it."""
    radius = number(s, ability, C.A_RADIUS)
    crowded = s.empty_actions == 0
    list_aims(s, i, name, reach_with(s, i, ability), radius, crowded, side, ability)


def list_swaps(s: State, i: int) -> None:
    """Pairs of units within reach."""
    reach, count = reach_with(s, i, C.SWAP), 0
    for other in range(s.n_units):
        spot = s.spot[other]
        own = other == i and s.swap_self == 1
        if spot >= 0 and (own or (other != i and reaches(s, i, spot, reach, C.SWAP))):
            s.members[count] = other
            count += 1
    for a in range(count):
        for b in range(a + 1, count):
            one, two = s.members[a], s.members[b]
            add(s, key_of(C.K_ACT, C.M_SWAP, one=one, two=two))


def list_catches(s: State, i: int) -> None:
    """Enemies that can be thrown over."""
    reach = reach_with(s, i, C.CATCH)
    for other in range(s.n_units):
        if s.spot[other] < 0 or s.side[other] == s.side[i]:
            continue
        if behind(s, i, other) >= 0 and reaches(s, i, s.spot[other], reach, C.CATCH):
            add(s, key_of(C.K_ACT, C.M_CATCH, one=other))


def list_raises(s: State, i: int) -> None:
    """One body or two that may rise."""
    count = 0
    for n in range(s.n_bodies):
        spot = s.body_spot[n]
        known = False
        for k in range(count):
            known = known or s.members[k] == spot
        if not known and raisable(s, i, spot) >= 0:
            s.members[count] = spot
            count += 1
    most = number(s, C.RAISE, C.A_AMOUNT)
    if s.raise_limit:
        most = min(most, most - s.raised[s.side[i]])
    if s.raise_where:
        most = min(most, beside_free(s, i, C.NO))
    for a in range(count):
        if most >= 1:
            add(s, key_of(C.K_ACT, C.M_RAISE, s.members[a]))
        for b in range(count):
            one, two = s.members[a], s.members[b]
            if most >= 2 and one < two:
                add(s, key_of(C.K_ACT, C.M_RAISE, one, two))


def list_promo(s: State, i: int) -> None:
    """Promo, when there is somebody for it."""
    for other in range(s.n_units):
        if s.empty_actions or promoted(s, i, other):
            add(s, key_of(C.K_ACT, C.M_PROMO))
            return


def list_healing(s: State, i: int, ability: int, name: int) -> None:
    """Whom a Medic can help, and Skeletons a potion hurts."""
    reach = reach_with(s, i, ability)
    skeleton = s.skeleton_card
    for other in range(s.n_units):
        if s.spot[other] < 0:
            continue
        friend = s.side[other] == s.side[i]
        lacks = s.health[other] < s.max_health[other] or s.empty_actions == 1
        wanted = friend and lacks and (other != i or s.heal_self == 1)
        if ability == C.POTION and s.card[other] == skeleton:
            wanted = not friend or s.potion_skeletons == 1
        near = other == i or reaches(s, i, s.spot[other], reach, ability)
        if wanted and near:
            add(s, key_of(C.K_ACT, name, one=other))


def list_mists(s: State, i: int) -> None:
    """Ways of a Poison Mist with somebody in it who has none."""
    own = s.spot[i]
    for way in range(4):
        if s.empty_actions:
            add(s, key_of(C.K_ACT, C.M_POISON, way=way))
            continue
        for other in range(s.n_units):
            if s.spot[other] >= 0 and not s.mist[other]:
                if cone_holds(s, own, way, s.spot[other]):
                    add(s, key_of(C.K_ACT, C.M_POISON, way=way))
                    break


def list_stabs(s: State, i: int) -> None:
    """Enemies for the Syringe."""
    reach = reach_with(s, i, C.STAB)
    for other in range(s.n_units):
        if s.spot[other] < 0 or s.side[other] == s.side[i]:
            continue
        if s.syringe[other] and not s.empty_actions:
            continue
        if reaches(s, i, s.spot[other], reach, C.STAB):
            add(s, key_of(C.K_ACT, C.M_SYRINGE, one=other))
