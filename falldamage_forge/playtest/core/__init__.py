"""The fast core: the same games as the plain engine's, on one array of whole numbers.

`loops` holds what numba compiles. `memory` fills the array for a map, `exchange` turns it into a
plain state and back, `drive` plays series on it. The core plays by the default readings; a result
of treasure that asks something rare is handed to the plain engine and taken back afterwards, so
every game is the plain engine's game, move by move.
"""
