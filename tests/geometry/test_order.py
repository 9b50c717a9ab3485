"""A piece is the same bytes whatever was made before it in the same process."""

import json
import random

import numpy as np

from falldamage_forge import presets
from falldamage_forge.geometry.mesh import Mesh
from tests.amount import some
from tests.cli.running import python

SCRIPT = """
import hashlib, json, sys
from falldamage_forge import presets
from falldamage_forge.geometry.piece_mesh import build
printer, catalogue = presets.load_printer("a1-mini"), presets.load_catalogue()
found = {}
for key in sys.argv[1:]:
    mesh = build(catalogue[key], printer)
    found[key] = hashlib.sha256(mesh.vertices.tobytes() + mesh.faces.tobytes()).hexdigest()
print(json.dumps(found))
"""


def digests(keys: list[str]) -> dict[str, str]:
    found: dict[str, str] = json.loads(python("-c", SCRIPT, *keys, FDFORGE_CACHE="off"))
    return found


def test_build_order_does_not_change_bytes() -> None:
    families = list(presets.load_catalogue().families.values())
    keys = [family[0].key for family in some(families, 8)]
    keys += [key for key in ("block-1x1x2", "block-2x1x1", "bridge-2") if key not in keys]
    shuffled = random.Random(5).sample(keys, len(keys))
    assert digests(keys) == digests(shuffled)


def test_one_order_of_the_same_triangles() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.int32)
    mesh = Mesh(corners, faces)
    chance = np.random.default_rng(3)
    for _ in range(20):
        order = chance.permutation(4).astype(np.int32)
        rank = np.argsort(order).astype(np.int32)
        mixed = Mesh(corners[order], np.roll(rank[faces][chance.permutation(4)], 1, axis=1))
        one, other = mesh.in_order(), mixed.in_order()
        assert np.array_equal(one.vertices, other.vertices)
        assert np.array_equal(one.faces, other.faces)
