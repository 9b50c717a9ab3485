"""Template of a new map."""

from __future__ import annotations

TEMPLATE = """\
forge 1
title "{title}"
players 2
board 10x10

# One cell per tile: `.` is bare board, a digit the column's level.
# After it: T tree, ^ spire, ! lava, ~ water, $ treasure.
map {{
     | A  B  C  D  E  F  G  H  I  J
   1 | .  .  .  .  .  .  .  .  .  .
   2 | .  .  .  .  .  .  .  .  .  .
   3 | .  .  1  1  .  .  .  .  T  .
   4 | .  .  1  2  .  .  .  .  .  .
   5 | .  .  .  2$ .  .  .  .  .  .
   6 | .  .  .  .  .  .  2$ .  .  .
   7 | .  .  .  .  .  .  2  1  .  .
   8 | .  T  .  .  .  .  1  1  .  .
   9 | .  .  .  .  .  .  .  .  .  .
  10 | .  .  .  .  .  .  .  .  .  .
}}
bridge D4 -> G4 level 2
bridge D7 -> G7 level 2
stack G4, D7 height 2
ladder H4 -> G4
ladder C7 -> D7
start red at B1..I1
start blue at B10..I10

expect reachable treasure
"""
