"""Kernels of the batch engine, compiled by numba; `search.batch_engine` calls them.

Sets of surfaces are two 64-bit words. The steps of a family (units of one Jump and kind of falling)
are masks by cost: `ways[family, surface, cost - 1]` is the set reached at that cost without damage.
Costs above `COSTS` and boards of more than `MOST` surfaces are not supported.
"""
