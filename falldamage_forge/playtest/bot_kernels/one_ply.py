"""One-ply bots: evaluate each activation one move ahead; `bots.OnePlyBot` calls them."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import notation, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import chooser
from falldamage_forge.games.fall_damage.engine.reachable import reachable_ends
from falldamage_forge.playtest.bot_kernels import distances, evaluation, threats
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.tie_break import better, look

STYLES = {
    # weights of threatened damage, chests, nearness to the enemy, height, nearness to the goal
    "wary": (0.6, 2.5, 0.2, 0.25, 0.3),
    "rusher": (0.05, 1.0, 1.2, 0.05, 0.6),
    "hunter": (0.25, 9.0, 0.2, 0.12, 0.3),
    "runner": (0.25, 1.0, 0.2, 0.12, 3.0),
    "greedy": (0.0, 2.5, 0.35, 0.12, 0.6),
    "careful": (0.4, 2.5, 0.5, 0.12, 0.6),
}
"""Styles of play: variants of one bot that differ in weights alone."""
WEIGHTS = tuple(STYLES.values())
FEAR, CHEST, CLOSE, HIGH, GOAL = range(5)
CAREFUL = list(STYLES).index("careful")
FEARED_LEAD, MOST_HUNT = 200, 400
"""Leads in hundredths: above the first a side fears less, up to the second it hunts more."""


def update_threats(s: StateColumns, bots: Bots, side: int, fear: float) -> float:
    """Record a side's enemies, their threats and its lead; return the fear for this round.

    Fear falls from `CALM_ROUND` on, and with a lead: few foes cannot attack many units. A side with
    a lead also spends health for that of the enemy.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        side: Side whose enemies are recorded: 0 red, 1 blue.
        fear: Weight of threats at the start of the game, at least 0.
    """
    left = fear * max(0.0, min(1.0, (evaluation.CALM_ROUND + 8 - s.round) / 8))
    bots.lead = lead_of(s, side)
    bots.price = int(100 / hunt(bots.lead))
    left *= min(1.0, FEARED_LEAD / max(bots.lead, 1))
    if left:
        threats.make_room(s, bots)
    count = 0
    for foe in range(s.n_units):
        spot = s.spot[foe]
        if spot < 0 or s.side[foe] == side:
            continue
        bots.foe[count], bots.foe_spot[count] = foe, spot
        bots.foe_harm[count] = 0
        row = threats.threat_row(s, bots, foe) if left else -1
        if row >= 0:
            harm = s.printed[s.card[foe] * C.STATS + C.A] + s.attack_plus[foe]
            harm = max(harm - unit_stats.poisoned(s, foe), 0)
            letter = unit_stats.letter_of(s, foe)
            shoves = letter != C.NO_LETTER and letter != C.FRONT
            bots.foe_push[count] = unit_stats.tiles_of(s, foe) if shoves else 0
            bots.foe_harm[count] = max(harm, 1) if harm or bots.foe_push[count] else 0
            bots.foe_threat[count] = row
        count += 1
    bots.n_foes = count
    threats.count_prey(s, bots, side)
    evaluation.list_pieces(s, bots, side)
    return left


def lead_of(s: StateColumns, side: int) -> int:
    """Return a side's health and units over those of its enemy, in hundredths.

    Health alone counts if its ratio is greater: of two sides of one unit each, who has four times
    the health is far ahead.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
    """
    own, foes, health, others = 0.0, 1.0, 0.0, 1.0
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            if s.side[i] == side:
                own += s.health[i] + evaluation.KILL
                health += s.health[i]
            else:
                foes += s.health[i] + evaluation.KILL
                others += s.health[i]
    return int(100 * max(own / foes, health / others))


def hunt(lead: int) -> float:
    """Return how many times nearness to the enemy counts for a side with a lead."""
    return min(max(lead, 100), MOST_HUNT) / 100


def turns_to_foe(
    s: StateColumns, bots: Bots, i: int, step_rules: int, spot: int, move: int
) -> float:
    """Return the turns from a surface to where a unit can strike a foe.

    A unit without an Attack keeps off instead, and closes no friend's way.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        i: Index of the unit.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        spot: Surface index.
        move: The unit's usual Move in tiles.
    """
    if unit_stats.may_attack(s, i):
        reach = max(unit_stats.reach_of(s, i), 1)
        return distances.nearest_strike(s, bots, step_rules, reach, spot) / max(move, 1)
    way = distances.nearest_foe(s, bots, step_rules, spot) - stand_off(s, bots, i)
    return abs(way) / max(move, 1)


AT_THE_BACK = 3
"""Tiles to the nearest foe that a unit without reach, such as a Medic, keeps."""


def stand_off(s: StateColumns, bots: Bots, i: int) -> int:
    """Return the tiles to the nearest foe from which a unit gains nothing by coming nearer.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit.
    """
    if not s.card_own_reach[s.card[i]]:
        return AT_THE_BACK
    return max(unit_stats.reach_of(s, i) - 1, 0)


def place(
    s: StateColumns,
    bots: Bots,
    i: int,
    spot: int,
    damage: int,
    fear: float,
    step_rules: int,
    move: int,
) -> float:
    """Return the value of ending a Move on a surface.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        i: Index of the unit.
        spot: Surface index.
        damage: Damage of the path to the surface.
        fear: Weight of the enemies' threats; 0 to ignore them.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        move: The unit's usual Move in tiles.
    """
    weights = WEIGHTS[bots.style]
    worth = weights[HIGH] * (spot & 15) - 1.2 * damage * bots.price / 100
    for n in range(s.n_chests):
        if s.chests[n] == spot:
            worth += weights[CHEST]
            break
    close = weights[CLOSE] * hunt(bots.lead)
    worth -= close * turns_to_foe(s, bots, i, step_rules, spot, move)
    worth += distances.goal_worth(s, bots, i, step_rules, spot, move, weights[GOAL])
    if s.n_bricks:
        worth -= evaluation.bricks_risk(s, bots, i, spot)
    if fear:
        danger = threats.danger_at(s, bots, i, spot)
        worth -= fear * (danger + (evaluation.KILL if danger >= s.health[i] else 0.0))
    return worth


def plan(s: StateColumns, bots: Bots, i: int, left: float) -> float:
    """Return the gain of a unit's best activation over staying.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        i: Index of the unit.
        left: Weight of threats in this round.
    """
    own = s.spot[i]
    reachable_ends(
        s, i, unit_stats.halve_if_carrying(s, i, unit_stats.effective_move(s, i, C.NONE))
    )
    step_rules, move, fights = (
        distances.gait_of(s, bots, i),
        distances.usual_move(s, bots, i),
        unit_stats.may_attack(s, i),
    )
    stay = place(s, bots, i, own, 0, left, step_rules, move)
    here = stay + (evaluation.best_attack(s, bots, i, own) if fights else 0.0)
    best, first = here, True
    for k in range(s.n_ends):
        spot = s.ends[k]
        whole = place(s, bots, i, spot, s.best[spot], left, step_rules, move)
        whole += evaluation.best_attack(s, bots, i, spot) if fights else 0.0
        if first or whole > best:
            best, first = whole, False
    return max(best, here) - stay


def plan_unit(s: StateColumns, bots: Bots, fear: float) -> int:
    """Return the activation with the greatest gain.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        fear: Weight of the enemies' threats; 0 to ignore them.
    """
    best, found = 0.0, -1
    left = update_threats(s, bots, chooser(s), fear)
    for n in range(s.n_moves):
        key = s.moves[n]
        if notation.kind_in(key) == C.K_UNIT:
            worth = plan(s, bots, notation.unit_in(key), left)
            if better(s, bots, worth, key, best, found):
                best, found = worth, key
    return found if found >= 0 else s.moves[0]


def plan_step(s: StateColumns, bots: Bots, fear: float) -> int:
    """Return the better move: act now, or move first.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        fear: Weight of the enemies' threats; 0 to ignore them.
    """
    i = s.active
    left = update_threats(s, bots, s.side[i], fear)
    best_act, act = 0.0, -1
    walks, end = 0, -1
    for n in range(s.n_moves):
        key = s.moves[n]
        kind = notation.kind_in(key)
        if kind == C.K_ACT:
            worth = evaluation.action_value(s, bots, i, key)
            if better(s, bots, worth, key, best_act, act):
                best_act, act = worth, key
        elif kind == C.K_MOVE:
            walks += 1
        elif kind == C.K_END:
            end = key
        elif kind == C.K_TAKE:
            return key
    if walks == 0:
        return act if best_act > 0.05 else end
    step_rules, move = distances.gait_of(s, bots, i), distances.usual_move(s, bots, i)
    stay = place(s, bots, i, s.spot[i], 0, left, step_rules, move)
    fights = unit_stats.may_attack(s, i) and not s.acted[i]
    after, away, then, to = 0.0, -1, 0.0, -1
    for n in range(s.n_moves):
        key = s.moves[n]
        if notation.kind_in(key) != C.K_MOVE or notation.spot2_in(key) >= 0:
            continue
        spot = notation.spot_in(key)
        worth = place(s, bots, i, spot, s.best[spot], left, step_rules, move)
        if better(s, bots, worth, key, after, away):
            after, away = worth, key
        worth += evaluation.best_attack(s, bots, i, spot) if fights else 0.0
        if better(s, bots, worth, key, then, to):
            then, to = worth, key
    if s.acted[i]:
        return away if after > stay + 1e-9 else end
    if best_act > 0.05 and best_act + max(after, stay) >= then:
        return act
    if then > stay + 1e-9:
        return to
    return act if best_act > 0.05 else end


def plan_answer(s: StateColumns, bots: Bots, fear: float) -> int:
    """Return an answer to a treasure, trap or wind decision; -1: any.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        fear: Weight of the enemies' threats; 0 to ignore them.
    """
    at = s.n_stack - 1
    name, i = s.task[at], s.task_a[at]
    if name == C.WIND:
        return plan_wind(s, bots, i, s.task_b[at], s.task_c[at])
    if name == C.LAND:
        return plan_landing(s, bots, s.side[i] != s.task_b[at])
    if name == C.ELIXIR:
        lost = s.max_health[i] - s.health[i]
        for n in range(s.n_moves):
            heals = notation.name_in(s.moves[n]) == C.M_HEAL
            if heals == (lost >= 4):
                return s.moves[n]
        return s.moves[0]
    if name == C.HAND_ON:
        return min(s.moves[0], s.moves[1])
    if name == C.FREE_MOVE:
        left, step_rules, move = (
            update_threats(s, bots, s.side[i], fear),
            distances.gait_of(s, bots, i),
            distances.usual_move(s, bots, i),
        )
        best, found = 0.0, -1
        for n in range(s.n_moves):
            key = s.moves[n]
            if notation.spot_in(key) >= 0:
                worth = place(s, bots, i, notation.spot_in(key), 0, left, step_rules, move)
                if better(s, bots, worth, key, best, found):
                    best, found = worth, key
        return found
    return -1


def plan_wind(s: StateColumns, bots: Bots, decider: int, victims: int, tiles: int) -> int:
    """Return the wind with most damage to enemies, or least to friends.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        decider: Side that chooses the direction: 0 red, 1 blue.
        victims: Side whose units the wind pushes.
        tiles: Length of the push in tiles.
    """
    best, found = 0.0, -1
    for n in range(s.n_moves):
        key, worth = s.moves[n], 0.0
        for i in range(s.n_units):
            if s.spot[i] < 0 or s.side[i] != victims:
                continue
            way = notation.way_in(key)
            fall, dead = evaluation.push_result(s, bots, i, s.spot[i], way, tiles, 15, C.NO)
            worth += (
                s.health[i] + evaluation.KILL if dead else evaluation.damage_value(s, bots, i, fall)
            )
        worth = worth if decider != victims else -worth
        if better(s, bots, worth, key, best, found):
            best, found = worth, key
    return found


def plan_landing(s: StateColumns, bots: Bots, low: int) -> int:
    """Return the lowest surface for an enemy, the highest for a friend.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        low: 1 to prefer low surfaces; 0 to prefer high ones.
    """
    best, found = 0.0, -1
    for n in range(s.n_moves):
        key = s.moves[n]
        level = (notation.spot_in(key) & 15) * 1.0
        worth = -level if low else level
        if better(s, bots, worth, key, best, found):
            best, found = worth, key
    return found


def plan_move(s: StateColumns, bots: Bots, style: int) -> int:
    """Return the move with the greatest gain; -1: any.

    Args:
        s: State of the game with the legal moves; changed.
        bots: Columns of the bots; changed.
        style: Index in `STYLES`.
    """
    look(s, bots)
    bots.style, fear = style, WEIGHTS[style][FEAR]
    if s.n_stack > 0:
        return plan_answer(s, bots, fear)
    return plan_step(s, bots, fear) if s.phase == C.ACTIVATION else plan_unit(s, bots, fear)
