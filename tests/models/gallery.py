"""Ten models such as people own, made by code: what shops, scanners and beginners give away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from trimesh import Trimesh
from trimesh.boolean import union
from trimesh.creation import box, cone, cylinder, icosphere


@dataclass(frozen=True)
class Shown:
    """A model: its file's name, what makes it, and the words with which it is adopted.

    `unit` is the one that its numbers should be taken for, `said` a part of what should be told.
    """

    file: str
    make: Callable[[], Trimesh]
    words: tuple[str, ...] = ()
    unit: str = "mm"
    said: str = ""
    large: bool = False


def moved(mesh: Trimesh, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Trimesh:
    mesh.apply_translation((x, y, z))
    return mesh


def joined(*parts: Trimesh) -> Trimesh:
    return union(list(parts), engine="manifold")


def standing(high: float, radius: float, z: float = 0.0) -> Trimesh:
    return moved(cylinder(radius, high, sections=48), z=z + high / 2)


def statue() -> Trimesh:
    """A figure on a pedestal, arms at its sides."""
    body = icosphere(3, 1)
    body.apply_scale((6, 5, 14))
    arms = [moved(cylinder(2, 16), x=x, z=34) for x in (-6.5, 6.5)]
    head = moved(icosphere(3, 4.4), z=48)
    return joined(moved(box((24, 24, 20)), z=10), moved(body, z=32), *arms, head)


def ruin() -> Trimesh:
    """Three walls of one triangle's thickness, broken above."""
    made = box((54, 54, 44)).subdivide().subdivide().subdivide()
    points = made.vertices.copy()
    high = points[:, 2] > 21
    points[high, 2] += 7 * np.sin(points[high, 0] / 6) - 5 * np.cos(points[high, 1] / 9)
    walls = (np.abs(made.face_normals[:, 2]) < 0.5) & (made.face_normals[:, 0] < 0.5)
    return Trimesh(points, made.faces[walls])


def tree() -> Trimesh:
    """A trunk and three crowns, one above the other."""
    crowns = [moved(cone(r, 20, sections=24), z=z) for r, z in ((14, 14), (11, 26), (8, 38))]
    return joined(standing(20, 3.5), *crowns, standing(58, 1))


def tower() -> Trimesh:
    """A round tower with stairs round it."""
    steps = []
    for number in range(12):
        step = moved(box((14, 9, 4 + 4.6 * number)), x=22, z=(4 + 4.6 * number) / 2)
        angle = np.radians(25 * number)
        turn = np.eye(4)
        turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        step.apply_transform(turn)
        steps.append(step)
    return joined(standing(60, 22), *steps)


def scan(halvings: int = 8) -> Trimesh:
    """A boulder as a scanner sees it: 1,310,720 triangles, rough at every scale."""
    made = icosphere(halvings, 1)
    way = made.vertices
    rough = sum(np.sin(way @ np.array(d) * f) / f for d, f in (((1, 2, 3), 4), ((3, -1, 2), 11)))
    fine = np.random.default_rng(5).normal(0, 0.0006, len(way))
    return Trimesh(way * (27 + 27 * (0.35 * rough + fine))[:, None] * (1, 1, 0.8), made.faces)


def tile() -> Trimesh:
    """A dungeon tile of 50 mm with nine flags."""
    flags = [
        moved(box((15, 15, 3)), x=16.4 * col, y=16.4 * row, z=8)
        for row in (-1, 0, 1)
        for col in (-1, 0, 1)
    ]
    return joined(moved(box((50, 50, 8)), z=4), *flags)


def dome() -> Trimesh:
    """A hut without a floor."""
    made = joined(standing(28, 14), moved(icosphere(3, 14), z=28))
    return Trimesh(made.vertices, made.faces[made.triangles[:, :, 2].max(axis=1) > 0.01])


def idol() -> Trimesh:
    """A stepped idol of 1.1 x 1.1 x 2.3 inches."""
    return joined(
        *(moved(box((w, w, h)), z=h / 2) for w, h in ((1.1, 0.6), (0.8, 1.5), (0.5, 2.3)))
    )


def obelisk() -> Trimesh:
    """An obelisk of 28 mm and 70 mm, saved in metres."""
    made = joined(moved(box((28, 28, 8)), z=4), moved(cone(13, 70, sections=4)), standing(70, 1))
    made.apply_scale(0.001)
    return made


def hanging() -> Trimesh:
    """A tapering tower, saved on its head."""
    made = joined(standing(8, 14), standing(30, 10), standing(50, 4))
    made.apply_scale((1, -1, -1))
    return made


GALLERY: Mapping[str, Shown] = {
    "statue": Shown("statue.stl", statue),
    "ruin": Shown("ruin.obj", ruin, ("--tiles", "2x2"), said="thickened a wall"),
    "tree": Shown("tree.ply", tree),
    "tower": Shown("tower.stl", tower, ("--tiles", "2x2"), said="no base of 25 mm stands there"),
    "scan": Shown("scan.stl", scan, ("--tiles", "2x2"), large=True),
    "tile": Shown("tile.stl", tile, ("--tiles", "2x2")),
    "dome": Shown("dome.stl", dome, said="filled a hole"),
    "idol": Shown("idol.stl", idol, unit="inch"),
    "obelisk": Shown("obelisk.stl", obelisk, unit="m"),
    "hanging": Shown("hanging.stl", hanging, ("--flip",)),
}
"""Models by name, as `fdforge adopt` is asked for them."""


def saved(name: str, folder: Path, *, coarse: bool = False) -> Path:
    """Write a model's file and return its path; a coarse scan has 81,920 triangles."""
    path = folder / GALLERY[name].file
    made = scan(6) if coarse and name == "scan" else GALLERY[name].make()
    made.export(path)
    return path
