"""Inner loops of the bulk engine, compiled by numba; `search.bulk` is the door to them.

Sets of surfaces are two words of 64 bits. Moves of a family (units whose Jump and kind of falling
are the same) are masks by cost: `ways[family, surface, cost - 1]` is where one gets at that cost
without damage. Costs above `COSTS` and boards of more than `MOST` surfaces are not answered here.
"""
