"""Relief of pieces: patterns of walls and tops, trees and spires, and their solids.

Wall patterns are drawn unrolled (u along a wall, v up), top patterns about a tile's middle (x east,
y north). `apply_relief` turns such drawings into solids that print without supports.
"""
