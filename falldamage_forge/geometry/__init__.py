"""Meshes of pieces, and the checks that they print and fit.

`build` returns a piece's mesh in print pose, `place` moves it to the board, `measure` returns its
volume and size, `validate_stl` checks the bytes that are written.
"""

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_properties import MeshProperties, measure
from falldamage_forge.geometry.mesh_validation import MeshValidity, validate_stl
from falldamage_forge.geometry.piece_mesh import build, place, placement_transform, play_transform
from falldamage_forge.geometry.stl import read_stl, write_stl

__all__ = [
    "Mesh",
    "MeshProperties",
    "MeshValidity",
    "build",
    "measure",
    "place",
    "placement_transform",
    "play_transform",
    "read_stl",
    "validate_stl",
    "write_stl",
]
