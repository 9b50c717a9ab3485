"""Meshes of pieces, and the proofs that they print and fit.

`build` makes a piece's mesh as it is printed, `place` stands it on the board, `measure` weighs it,
`prove_stl` judges the bytes that are written.
"""

from falldamage_forge.geometry.build import build, place, placement_transform, play_transform
from falldamage_forge.geometry.measure import Measure, measure
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.sound import Soundness, prove_stl
from falldamage_forge.geometry.stl import read_stl, write_stl

__all__ = [
    "Measure",
    "Mesh",
    "Soundness",
    "build",
    "measure",
    "place",
    "placement_transform",
    "play_transform",
    "prove_stl",
    "read_stl",
    "write_stl",
]
