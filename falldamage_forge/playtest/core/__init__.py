"""The fast core: the same games as the plain engine's, on one array of whole numbers.

`loops` holds what numba compiles. `memory` fills the array for a map, `exchange` turns it into a
plain state, `drive` plays series on it. The core plays by the default readings, and every game is
the plain engine's game, move by move; one that does not fit in memory is played by that engine.
"""
