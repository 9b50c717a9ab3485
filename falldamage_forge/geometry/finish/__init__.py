"""The looks of pieces: what walls, tops and figures show, and how relief becomes a solid.

`walls` and `tops` draw on paper (u along a wall and v up; x east and y north on a top), `carve` and
`engrave` turn such drawings into solids that print without supports.
"""
