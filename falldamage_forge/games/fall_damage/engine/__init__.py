"""Rules engine of Fall Damage: plain functions over a state of named columns.

Each rule is one function. Python runs it as it stands; `jit.py` compiles the same source for series
of games. The functions share these parameters:
- `s`: state columns; `i`, `other`, `foe`: unit index; `by`: index of the unit that causes the
effect, -1 for none;
- `spot`: surface index `row << 10 | col << 4 | level`; `tile`: tile number `row << 6 | col`; -1 for
none;
- `o`: start of the tile columns to read: `codes.GROUND` for the terrain now, `s.base` for the map's
own;
- `way`: direction, 0 north, 1 east, 2 south, 3 west, -1 for none; `side`: 0 red, 1 blue;
- `key`: a move as a number (`notation.py`).
"""
