"""The rules a second time: slow, plain, exact, from the sentences and not from the engine.

Nothing of `falldamage_forge.rules` or `surfaces` is used here. A place is (row, col, level); a
solid over a tile is an interval (low, high) of levels; everything is tried, nothing is clever.
"""

from __future__ import annotations

import math
from fractions import Fraction

from falldamage_forge.board import Board

Place = tuple[int, int, int]
DEFAULTS: dict[str, object] = {
    "headroom": 2,
    "tree_height": 2,
    "spire_height": 2,
    "jump_scope": "step",
    "voluntary_fall": "subtract",
    "fall_allowance": "per_drop",
    "lethal_step": "no",
    "leap_vertical": "jump",
    "gap": "strictly_lower",
    "leap_over": "no_unit",
    "leap_pass": "no",
    "water_cost": "enter",
    "bridge_cost": "span",
    "ladder_cost": "one",
    "beast_down": "counts",
    "occupancy": "surface",
    "push_diag": "column_axis",
    "climb_judged": "attack",
    "slide_cost": "free",
    "own_column": "no",
    "spire_damage": 6,
    "spire_level": "stop",
    "push_fall": "immediate",
    "push_after_fall": "continue",
    "edge": "wall",
    "mage_bonus": "per_drop",
    "melee_down": "one",
    "reach_shape": "euclid",
    "reach2": "radius",
    "height_bonus": "melee",
    "upward": "dz2",
    "deck_thickness": "0.2",
    "los_eye": "0.5",
    "los_own": "ignore_support",
    "los_corner": "open",
}


class Table:
    """A board under options."""

    def __init__(self, board: Board, **options: object) -> None:
        assert not options.keys() - DEFAULTS.keys()
        self.board = board
        self.o = {**DEFAULTS, **options}
        self.cells = [(r, c) for r in range(board.rows) for c in range(board.cols)]
        self.decks: dict[tuple[int, int], list[int]] = {cell: [] for cell in self.cells}
        for deck in board.decks:
            (ar, ac), (br, bc) = deck.a, deck.b
            for r, c in self.cells:
                if (ar == br == r and ac < c < bc) or (ac == bc == c and ar < r < br):
                    self.decks[r, c].append(deck.level)
        self.places = {
            (r, c, z) for r, c in self.cells for z in self.tops(r, c) if self.ok(r, c, z)
        }

    # -- section 1: the world

    def height(self, r: int, c: int) -> int:
        return self.board.column((r, c)).level

    def kind(self, r: int, c: int) -> str:
        return str(self.board.column((r, c)).ground)

    def piece(self, r: int, c: int) -> str:
        return str(self.board.column((r, c)).feature or "")

    def solids(self, r: int, c: int) -> list[tuple[float, float]]:
        """What bodies cannot pass: ground, slabs a level thick (thin with headroom 1), things."""
        h = self.height(r, c)
        found: list[tuple[float, float]] = [(-math.inf, h)]
        slab = 0 if int(str(self.o["headroom"])) == 1 else 1
        found += [(z - slab, z) for z in self.decks[r, c]]
        if self.piece(r, c):
            found.append((h, h + int(str(self.o[f"{self.piece(r, c)}_height"]))))
        return found

    def clear(self, r: int, c: int, low: float, high: float) -> bool:
        return all(b <= low or a >= high for a, b in self.solids(r, c))

    def tops(self, r: int, c: int) -> list[int]:
        return sorted({self.height(r, c), *self.decks[r, c]})

    def ok(self, r: int, c: int, z: int) -> bool:
        """Can be stood on: solid below, the voxel free, headroom under every deck above."""
        if z == self.height(r, c) and self.kind(r, c) == "lava" and z not in self.decks[r, c]:
            return False
        if not self.clear(r, c, z, z + 1):
            return False
        return all(d - z >= int(str(self.o["headroom"])) for d in self.decks[r, c] if d > z)

    def water(self, place: Place) -> bool:
        r, c, z = place
        return self.kind(r, c) == "water" and z == self.height(r, c)

    def below(self, r: int, c: int, z: int) -> float:
        """The highest top at or below a level."""
        return max((b for _, b in self.solids(r, c) if b <= z), default=-math.inf)

    # -- section 2: moves

    def moves(self, s: Place, unit: Unit, others: dict[Place, str]) -> list[tuple]:
        """(kind, to, cost, damage, climbed, dropped) of everything the unit may do from s."""
        found = []
        r, c, z = s
        taken = self.cells_of(others)
        foes = {p for p in taken if taken[p] == "enemy"}
        for dr, dc in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            for t in self.places:
                if t[:2] == (r + dr, c + dc):
                    high = max(z, t[2]) + 1
                    if not (self.clear(r, c, z, high) and self.clear(*t[:2], t[2], high)):
                        continue
                    if t in foes and not unit.pass_enemies:
                        continue
                    found += self.paid("step", s, t, 1, unit)
                if t[:2] == (r + 2 * dr, c + 2 * dc) and self.may_land(t, taken, unit):
                    mid = (r + dr, c + dc)
                    high = max(z, t[2]) + 1
                    if not (
                        self.clear(r, c, z, high)
                        and self.clear(*mid, z, high)
                        and self.clear(*t[:2], t[2], high)
                    ):
                        continue
                    if not self.empty(mid, z, high, others):
                        continue
                    if self.below(*mid, z) == z and self.o["gap"] == "strictly_lower":
                        continue
                    if self.o["leap_vertical"] == "level" and t[2] != z:
                        continue
                    if self.o["leap_vertical"] == "none_up" and t[2] > z:
                        continue
                    found += self.paid("leap", s, t, 2, unit)
        for ladder in self.board.ladders:
            a = (*ladder.foot, ladder.foot_level)
            b = (*ladder.top, ladder.top_level)
            for one, other in ((a, b), (b, a)):
                if one == s and other in self.places and s in self.places:
                    high = max(one[2], other[2]) + 1
                    swept = self.clear(*one[:2], one[2], high)
                    swept = swept and self.clear(*other[:2], other[2], high)
                    if swept and (other not in foes or unit.pass_enemies):
                        found += self.paid("ladder", s, other, 1, unit)
        return found

    def may_land(self, t: Place, taken: dict[Place, str], unit: Unit) -> bool:
        """Nobody is landed on, unless one may go on from a friend (or an enemy one may pass)."""
        if t not in taken:
            return True
        sides = {taken[p] for p in taken if p == t}
        if self.o["occupancy"] == "cell":
            sides = {taken[p] for p in taken if p[:2] == t[:2]}
        return self.o["leap_pass"] == "yes" and (unit.pass_enemies or sides == {"friend"})

    def empty(self, mid: tuple[int, int], z: int, high: int, others: dict[Place, str]) -> bool:
        """Whether the tile crossed counts as empty."""
        reading = self.o["leap_over"]
        if reading == "empty" and self.piece(*mid):
            return False
        below = z - 1 if reading == "clear" else -1
        return not any(p[:2] == mid and below < p[2] < high for p in others)

    def cells_of(self, others: dict[Place, str]) -> dict[Place, str]:
        """Surfaces that count as occupied: each unit's own, or all of its cell."""
        if self.o["occupancy"] == "surface":
            return others
        return {p: side for p in self.places for q, side in others.items() if p[:2] == q[:2]}

    def paid(self, kind: str, s: Place, t: Place, tiles: int, unit: Unit) -> list[tuple]:
        rise = t[2] - s[2]
        wet = t if self.o["water_cost"] == "enter" else s
        r, c, z = wet
        doubled = self.water(wet) or (
            self.o["bridge_cost"] == "inherit"
            and self.kind(r, c) == "water"
            and z in self.decks[r, c]
        )
        cost = tiles + doubled
        vertical = rise if rise > 0 else (0 if self.o["beast_down"] == "free" else -rise)
        if kind == "ladder":
            if self.o["ladder_cost"] == "height":
                cost = max(1, abs(rise)) + doubled
                if unit.vertical_counts:
                    cost = max(cost, 1 + doubled + vertical)
            elif unit.vertical_counts:
                cost += vertical
            return [(kind, t, cost, 0, 0, 0)]
        if rise > unit.jump:
            return []
        if unit.vertical_counts:
            cost += vertical
        drop = 0 if rise > 0 or self.water(t) or unit.no_fall else -rise
        return [(kind, t, cost, self.fall(drop, unit.jump), max(rise, 0), drop)]

    def fall(self, drop: int, allowance: int) -> int:
        """Damage of a voluntary drop with so much of the allowance left."""
        if drop <= allowance:
            return 0
        return drop - allowance if self.o["voluntary_fall"] == "subtract" else drop

    def turn(
        self, starts: set[Place], unit: Unit, others: dict[Place, str], *, safe: bool = False
    ) -> dict[Place, set[tuple[int, int]]]:
        """All (cost, damage) with which one activation from any start can be at each surface."""
        todo = [(s, 0, 0, 0, 0) for s in starts]
        seen = set(todo)
        while todo:
            s, cost, damage, climbed, fallen = todo.pop()
            for _, t, price, hurt, up, down in self.moves_cached(s, unit, others):
                spent = cost + price
                rose = climbed + up
                if spent > unit.move or (self.o["jump_scope"] == "turn" and rose > unit.jump):
                    continue
                far, added = fallen, hurt
                if self.o["fall_allowance"] == "per_turn":
                    added = self.fall(down, max(unit.jump - fallen, 0)) if down else 0
                    far = min(fallen + down, 99)
                total = damage + added
                if safe and total:
                    continue
                if self.o["lethal_step"] == "no" and unit.health and total >= unit.health:
                    continue
                rose = rose if self.o["jump_scope"] == "turn" else 0
                state = (t, spent, total, rose, far)
                if state not in seen:
                    seen.add(state)
                    todo.append(state)
        found: dict[Place, set[tuple[int, int]]] = {}
        for s, cost, damage, _, _ in seen:
            found.setdefault(s, set()).add((cost, damage))
        return found

    def moves_cached(self, s: Place, unit: Unit, others: dict[Place, str]) -> list[tuple]:
        cache = self.__dict__.setdefault("cache", {})
        key = (s, unit, tuple(sorted(others.items())))
        if key not in cache:
            cache[key] = self.moves(s, unit, others)
        return cache[key]

    def stops(self, found: dict, starts: set[Place], others: dict[Place, str]) -> dict:
        taken = self.cells_of(others)
        return {s: labels for s, labels in found.items() if s in starts or s not in taken}

    def one_turn(
        self, start: Place, unit: Unit, others: dict[Place, str]
    ) -> dict[Place, list[tuple[int, int]]]:
        found = self.stops(self.turn({start}, unit, others), {start}, others)
        return {
            s: sorted(
                one for one in labels
                if not any(o != one and o[0] <= one[0] and o[1] <= one[1] for o in labels)
            )
            for s, labels in found.items()
        }  # fmt: skip

    def turns(self, starts: set[Place], unit: Unit, others: dict[Place, str]) -> dict[Place, int]:
        known = dict.fromkeys(starts, 0)
        number = 0
        while True:
            number += 1
            found = self.turn(set(known), unit, others, safe=True)
            fresh = [s for s in self.stops(found, set(known), others) if s not in known]
            if not fresh:
                return known
            known |= dict.fromkeys(fresh, number)

    # -- section 3: push

    def push(
        self,
        attacker: Place,
        target: Place,
        letter: str,
        count: int,
        others: set[Place],
        *,
        mage: bool = False,
        no_fall: bool = False,
        no_push: bool = False,
        axis: str = "",
    ) -> tuple[Place | None, int, bool]:
        """(end or None, damage, dead). `axis` (row, col) is what the attacker chooses."""
        if no_push or count == 0:
            return target, 0, False
        if letter == "F":
            return attacker, 0, False
        if target[:2] == attacker[:2]:
            return target, 0, False
        dr, dc = self.way(attacker, target, letter, axis)
        others = (others | {attacker}) - {target}
        low = (attacker[2], target[2])
        run = self.hover if self.o["push_fall"] == "hover" else self.immediate
        end, drops, dead = run(target, (dr, dc), count, others, low)
        damage = 0
        for level, landing in drops:
            if landing is None or no_fall or self.water(landing) or level == landing[2]:
                continue
            damage += level - landing[2]
            if mage and (self.o["mage_bonus"] == "per_drop" or damage == level - landing[2]):
                damage += 2
        return (None if dead else end), damage, dead

    def way(self, attacker: Place, target: Place, letter: str, axis: str) -> tuple[int, int]:
        dr, dc = target[0] - attacker[0], target[1] - attacker[1]
        along_rows = axis == "row" if self.open(attacker, target) else abs(dr) > abs(dc)
        if along_rows:
            dr, dc = dr // abs(dr), 0
        else:
            dr, dc = 0, dc // abs(dc)
        if letter == "R":
            dr, dc = dc, -dr
        elif letter == "L":
            dr, dc = -dc, dr
        return dr, dc

    def open(self, attacker: Place, target: Place) -> bool:
        """Whether the attacker has to choose: on an exact diagonal, if the table lets it."""
        dr, dc = abs(target[0] - attacker[0]), abs(target[1] - attacker[1])
        return dr == dc != 0 and self.o["push_diag"] == "attacker_chooses"

    def spire(
        self, attacker: Place, cell: tuple[int, int], letter: str, count: int, others: set[Place],
        axis: str = "",
    ) -> tuple[bool, Place | None, int]:  # fmt: skip
        """(it is gone, who is hit, for how much)."""
        foot = (*cell, self.height(*cell))
        if letter == "F" or count == 0 or cell == attacker[:2]:
            return False, None, 0
        dr, dc = self.way(attacker, foot, letter, axis)
        r, c, z = foot
        moved = False
        for _ in range(count):
            r, c = r + dr, c + dc
            if not (0 <= r < self.board.rows and 0 <= c < self.board.cols):
                return moved or self.o["edge"] == "void", None, 0
            if (r, c, z) in others:
                if self.o["spire_level"] == "hit":
                    return True, (r, c, z), int(str(self.o["spire_damage"]))
                return moved, None, 0
            if not self.clear(r, c, z, z + 1):
                return moved, None, 0
            moved = True
            under = self.below(r, c, z)
            if under < z:
                landed = (r, c, int(under))
                if landed in others:
                    return True, landed, int(str(self.o["spire_damage"]))
                return True, None, 0
        return True, None, 0

    def immediate(self, at, way, count, others, low):  # type: ignore[no-untyped-def]
        drops = []
        left = count
        while left:
            left -= 1
            what, value = self.next_tile(at, way, others, low)
            if what == "stop":
                break
            if what == "dead":
                return None, drops, True
            if what == "up":
                at = value
                continue
            what, value = self.settle(at, way, others, left)
            if what == "dead":
                return None, drops, True
            if what == "stop":
                break
            if self.o["slide_cost"] == "counts":
                tiles = abs(value[0] - at[0]) + abs(value[1] - at[1])
                left -= tiles - 1
            drops.append((at[2], value))
            fell = at[2] > value[2]
            at = value
            if fell and self.o["push_after_fall"] == "stop":
                break
        return at, drops, False

    def hover(self, at, way, count, others, low):  # type: ignore[no-untyped-def]
        """Only the last tile falls; blocked on the way, one falls where one can stand."""
        trail = [at]
        for number in range(count):
            what, value = self.next_tile(at, way, others, low)
            if what == "dead":
                return None, [], True
            if what == "stop":
                break
            if what == "up":
                at = value
                trail.append(at)
                continue
            tile = (at[0] + way[0], at[1] + way[1])
            if number == count - 1:
                what, value = self.settle(at, way, others, 0)
                if what == "dead":
                    return None, [], True
                if what == "stop":
                    break
                return value, [(at[2], value)], False
            if self.lava_at(*tile, at[2]):
                return None, [], True
            at = (*tile, at[2])
            trail.append(at)
        for spot in reversed(trail):
            under = self.below(*spot[:2], spot[2])
            if self.lava_at(*spot[:2], under):
                return None, [], True
            landing = (*spot[:2], under)
            if landing in self.places and landing not in others:
                return landing, [(spot[2], landing)], False
        raise AssertionError("the first tile carried the unit")

    def lava_at(self, r: int, c: int, z: float) -> bool:
        bare = self.kind(r, c) == "lava" and not self.piece(r, c) and z not in self.decks[r, c]
        return bare and z == self.height(r, c)

    def next_tile(self, at, way, others, low):  # type: ignore[no-untyped-def]
        """stop, dead, up (one level, to a surface) or open air."""
        r, c, z = at[0] + way[0], at[1] + way[1], at[2]
        if not (0 <= r < self.board.rows and 0 <= c < self.board.cols):
            return ("dead" if self.o["edge"] == "void" else "stop"), None
        if (r, c, z) in others:
            return "stop", None
        if self.clear(r, c, z, z + 1):
            return "open", None
        over = max(b for a, b in self.solids(r, c) if a < z + 1 and b > z)
        up = (r, c, z + 1)
        attacker, target = low
        judged = target if self.o["climb_judged"] == "attack" else z
        if over != z + 1 or attacker > judged or not self.clear(at[0], at[1], z, z + 2):
            return "stop", None
        if not self.clear(r, c, z + 1, z + 2):
            return "stop", None
        if self.lava_at(*up):
            return "dead", None
        return ("up", up) if up in self.places and up not in others else ("stop", None)

    def settle(self, at, way, others, left):  # type: ignore[no-untyped-def]
        """Down on the next tile, or sliding on at the same height to one that is available."""
        r, c, z = at
        for slid in range(1000):
            if slid > left and self.o["slide_cost"] == "counts":
                return "stop", None
            r, c = r + way[0], c + way[1]
            if not (0 <= r < self.board.rows and 0 <= c < self.board.cols):
                return ("dead" if self.o["edge"] == "void" else "stop"), None
            if (r, c, z) in others or not self.clear(r, c, z, z + 1):
                return "stop", None
            under = self.below(r, c, z)
            if self.lava_at(r, c, under):
                return "dead", None
            if (r, c, under) in self.places and (r, c, under) not in others:
                return "fall", (r, c, under)
        raise AssertionError("no board is so large")

    def lands(
        self, r: int, c: int, z: int, others: set[Place], *, mage: bool = False,
        no_fall: bool = False,
    ) -> tuple[Place | None, int]:  # fmt: skip
        """Where somebody comes to rest whose floor at this level is gone, and its damage."""
        under = self.below(r, c, z)
        if self.lava_at(r, c, under):
            return None, 0
        end = (r, c, under)
        if end not in self.places or end in others:
            free = [p for p in self.places if p not in others and p[2] <= z]
            if not free:
                return None, 0
            end = min(free, key=lambda p: (abs(p[0] - r) + abs(p[1] - c), -p[2], p[0], p[1]))
        drop = z - int(end[2])
        spared = no_fall or drop == 0 or self.water(end)
        return end, 0 if spared else drop + 2 * mage

    # -- section 4: reach and sight

    def attacks(self, a: Place, t: Place, reach: int) -> bool:
        dr, dc, dz = (abs(a[0] - t[0]), abs(a[1] - t[1]), t[2] - a[2])
        if reach == 1:
            return dr + dc == 1 and dz <= 1 and (dz >= -1 or self.o["melee_down"] == "unlimited")
        if reach == 0 or ((dr, dc) == (0, 0) and (dz == 0 or self.o["own_column"] == "no")):
            return False
        if dz > 0 and self.o["upward"] == "horizontal2":
            return self.near(dr, dc, reach) and self.near(dr, dc, 2)
        return self.near(dr, dc, reach) and dz <= 2

    def near(self, dr: int, dc: int, reach: int) -> bool:
        if reach == 2 and self.o["reach2"] == "line":
            return 0 in (dr, dc) and dr + dc <= 2
        if self.o["reach_shape"] == "manhattan":
            return dr + dc <= reach
        return dr * dr + dc * dc <= reach * reach

    def bonus(self, a: Place, t: Place, reach: int) -> int:
        if reach > 1 and self.o["height_bonus"] == "melee":
            return 0
        if reach > 1 and self.o["height_bonus"] == "literal":
            return -1 if a[2] < t[2] else 0
        return (a[2] > t[2]) - (a[2] < t[2])

    def sees(self, a: Place, t: Place, others: set[Place]) -> bool:
        """No solid anywhere on the board has its inside met by the line between the two eyes."""
        eye = Fraction(str(self.o["los_eye"]))
        start = (Fraction(2 * a[0] + 1, 2), Fraction(2 * a[1] + 1, 2), a[2] + eye)
        end = (Fraction(2 * t[0] + 1, 2), Fraction(2 * t[1] + 1, 2), t[2] + eye)
        thick = Fraction(str(self.o["deck_thickness"]))
        for r, c in self.cells:
            top = Fraction(self.height(r, c))
            if self.piece(r, c):
                top += Fraction(str(self.o[f"{self.piece(r, c)}_height"]))
            boxes = [(Fraction(-1000), top)]
            boxes += [(z - thick, Fraction(z)) for z in self.decks[r, c]]
            ends = [p for p in (a, t) if p[:2] == (r, c)]
            if self.o["los_own"] == "ignore_support" and ends:
                boxes = [box for box in boxes if not self.supports(box, ends)]
            boxes += [
                # on the level of both ends: in the way wherever the eyes are
                (Fraction(z - 1), Fraction(z + 2))
                if z == a[2] == t[2]
                else (Fraction(z), Fraction(z + 1))
                for y, x, z in others
                if (y, x) == (r, c) and (y, x, z) not in (a, t)
            ]
            for low, high in boxes:
                if meets(start, end, (r, r + 1), (c, c + 1), (low, high)):
                    return False
                if self.o["los_corner"] == "closed" and corner(start, end, r, c, low, high):
                    return False
        return True

    def supports(self, box: tuple[Fraction, Fraction], ends: list[Place]) -> bool:
        """It is right under the feet of every end in its tile."""
        return all(box[1] == p[2] for p in ends)


def meets(start, end, *ranges) -> bool:  # type: ignore[no-untyped-def]
    """Whether the inside of the segment meets the inside of a box: clipping, exactly."""
    first, last = Fraction(0), Fraction(1)
    for one, other, (low, high) in zip(start, end, ranges, strict=True):
        if one == other:
            if not low < one < high:
                return False
            continue
        near, far = sorted(((low - one) / (other - one), (high - one) / (other - one)))
        first, last = max(first, near), min(last, far)
    return bool(first < last)


def corner(start, end, r, c, low, high) -> bool:  # type: ignore[no-untyped-def]
    """Whether the line passes an upright edge of the tile without entering the tile, at a height
    strictly inside the solid.
    """
    if meets(start[:2], end[:2], (r, r + 1), (c, c + 1)):
        return False
    for y, x in ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)):
        if start[0] == end[0] or start[1] == end[1]:
            continue
        t = (y - start[0]) / (end[0] - start[0])
        if 0 < t < 1 and start[1] + t * (end[1] - start[1]) == x:
            z = start[2] + t * (end[2] - start[2])
            if low < z < high:
                return True
    return False


class Unit(tuple):  # type: ignore[type-arg]
    """Move, Jump, vertical_counts, no_fall, pass_enemies, health."""

    def __new__(
        cls,
        move: int,
        jump: int,
        vertical_counts: bool = False,
        no_fall: bool = False,
        pass_enemies: bool = False,
        health: int | None = None,
    ) -> Unit:
        return tuple.__new__(cls, (move, jump, vertical_counts, no_fall, pass_enemies, health))

    move = property(lambda self: self[0])
    jump = property(lambda self: self[1])
    vertical_counts = property(lambda self: self[2])
    no_fall = property(lambda self: self[3])
    pass_enemies = property(lambda self: self[4])
    health = property(lambda self: self[5])
