"""Legal maps whose parts go together in one order alone, and the order that the sheets once had."""

PIT = """forge 1
title "Tree in a pit"
map {
     | A  B  C  D  E  F  G  H  I  J
   1 | .  .  .  .  .  .  .  .  .  .
   2 | .  .  .  .  .  .  .  .  .  .
   3 | .  .  .  .  .  .  .  .  .  .
   4 | .  .  .  1  3  2  .  .  .  .
   5 | .  .  2  3  T  3  .  .  .  .
   6 | .  .  1  2  3  .  .  .  .  .
   7 | .  .  .  1  2  1  .  .  .  .
   8 | .  .  .  .  .  .  .  .  .  .
   9 | .  .  .  .  .  .  .  .  .  .
  10 | .  .  .  .  .  .  .  .  .  .
}
bridge D5 -> F5 level 3
start red at B1..I1
start blue at B10..I10
"""
"""The tree must stand before the bridge over it; walls are on all its sides."""

STARTS = """forge 1
title "Things on starts"
board 10x10
stack D2 height 2
stack G2 height 1
stack D9 height 2
stack G9 height 2
stack F1 height 1
ladder D1 -> D2
ladder D10 -> D9
step at G1
battlement at F1 sides north
start red at B1..I1
start blue at B10..I10
"""
"""Ladders, a step and a battlement stand on start markers."""

SHORE = """forge 1
title "Ladder to water"
board 5x5
stack C3 height 2
water at C3
ladder C4 -> C3
ladder B3 -> C3
"""
"""The hooks of ladders hang in edges that the water on the column covers."""

YARD = """forge 1
title "Treasure under a bridge"
board 10x10
stack B5 height 2
stack D5 height 2
bridge B5 -> D5 level 2
treasure at C5@0
start red at B1..I1
start blue at B10..I10
"""
"""The yard is open to two sides, so that the chest may slide under the bridge."""

ONE_ORDER = {"pit": PIT, "starts": STARTS, "shore": SHORE, "yard": YARD}

FAMILIES_ONCE = (
    ("quadrant", "tie"),
    ("block",),
    ("water", "lava"),
    ("bridge",),
    ("ladder", "ladder-low", "ladder-lower", "ladder-middle", "ladder-upper"),
    ("tree", "spire"),
    ("step", "arch", "battlement", "railing"),
    ("start-disc", "start-marker"),
    ("chest",),
)
"""Families in an order that does not ask what stands on what."""
