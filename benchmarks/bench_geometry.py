"""Meshes: the whole catalogue in each style, and a base quadrant against CadQuery.

The catalogue is made once in a fresh process, imports not counted, as `fdforge prove` does. The
quadrant is modelled twice from the same numbers: by our builder, and in CadQuery as its manual
teaches, from sketches and extrusions, without the chamfers that ours has. Volumes are shown so that
it can be seen that both made the same thing. CadQuery is installed into an environment of its own.
"""

import json
import subprocess
import sys
import time

from shared import ask_peer, environment, show

from falldamage_forge import presets
from falldamage_forge.geometry import measure
from falldamage_forge.geometry.build import build_solid, fit_of, own_solid
from falldamage_forge.geometry.connectors import STANDARD, seam_places
from falldamage_forge.geometry.solids import to_mesh

ROUNDS = 3
CATALOGUE = """
import json, sys, time
import manifold3d, numpy, shapely
from falldamage_forge import presets
from falldamage_forge.geometry import build
printer, catalogue = presets.load_printer("a1-mini"), presets.load_catalogue()
style = presets.load_style(sys.argv[1])
wall, cpu = time.perf_counter(), time.process_time()
faces = sum(len(build(piece, printer, style).faces) for piece in catalogue.pieces.values())
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, faces]))
"""
QUADRANT = """
import json, sys, time
import cadquery as cq

q = json.load(sys.stdin)

def quadrant():
    size, pitch, skin, high = q["size"], q["pitch"], q["skin"], q["high"]
    side, wall = size - q["gap"], q["wall"]
    lines = [(index + 0.5) * pitch - size / 2 for index in range(5)]
    middles = [(x, y) for x in lines for y in lines]
    grid = [index * pitch - size / 2 for index in range(1, 5)]
    body = cq.Workplane().rect(side, side).extrude(-skin)
    rim = cq.Workplane().rect(side, side).rect(side - 2 * q["rim"], side - 2 * q["rim"])
    body = body.union(rim.extrude(-high))
    tub = q["socket"] + 2 * wall
    body = body.union(cq.Workplane().pushPoints(middles).rect(tub, tub).extrude(-high))
    rib = pitch - q["socket"] - wall
    across = [(x, y) for x in lines for y in grid]
    body = body.union(cq.Workplane().pushPoints(across).rect(wall, rib).extrude(-high))
    body = body.union(
        cq.Workplane().pushPoints([(y, x) for x, y in across]).rect(rib, wall).extrude(-high)
    )
    half = (rib / 2 + q["gap"]) / 2
    ends = [(x, sign * (side / 2 - half / 2 - 0.5)) for x in lines for sign in (-1, 1)]
    body = body.union(cq.Workplane().pushPoints(ends).rect(wall, rib / 2).extrude(-high))
    body = body.union(
        cq.Workplane().pushPoints([(y, x) for x, y in ends]).rect(rib / 2, wall).extrude(-high)
    )
    corners = [(x, y) for x in grid for y in grid]
    for wide, deep in ((12.0, wall), (wall, 12.0)):
        body = body.union(cq.Workplane().pushPoints(corners).rect(wide, deep).extrude(-high))
    for turn in range(4):
        for place in q["knobs"]:
            knob = cq.Workplane().center(size / 2 - place, size / 2 + q["centre"])
            knob = knob.circle(q["radius"]).extrude(-high)
            neck = cq.Workplane().center(size / 2 - place, size / 2).rect(q["neck"], 8)
            both = knob.union(neck.extrude(-high))
            body = body.union(both.rotate((0, 0, 0), (0, 0, 1), 90 * turn))
        for place in q["pockets"]:
            hole = cq.Workplane().center(size / 2 - place, size / 2 - q["centre"])
            hole = hole.circle(q["radius"] + q["gap"]).extrude(-high)
            neck = cq.Workplane().center(size / 2 - place, size / 2)
            neck = neck.rect(q["neck"] + 2 * q["gap"], 8).extrude(-high)
            body = body.cut(hole.union(neck).rotate((0, 0, 0), (0, 0, 1), 90 * turn))
    socket = q["socket"]
    body = body.cut(cq.Workplane().pushPoints(middles).rect(socket, socket).extrude(-high))
    heads, necks, turned = [], [], []
    for x, y in middles:
        for off in (-q["offset"], q["offset"]):
            for sign in (-1, 1):
                reach = pitch / 2 - q["key_centre"]
                heads += [(x + off, y + sign * reach), (x + sign * reach, y + off)]
                necks.append((x + off, y + sign * (pitch / 2 - 1.7)))
                turned.append((x + sign * (pitch / 2 - 1.7), y + off))
    deep = q["key_depth"]
    body = body.cut(cq.Workplane().pushPoints(heads).circle(q["key_radius"]).extrude(-deep))
    body = body.cut(cq.Workplane().pushPoints(necks).rect(q["key_neck"], 3.4).extrude(-deep))
    return body.cut(cq.Workplane().pushPoints(turned).rect(3.4, q["key_neck"]).extrude(-deep))

times = []
for _ in range(q["rounds"]):
    start = time.perf_counter()
    solid = quadrant()
    points, faces = solid.val().tessellate(0.1)
    times.append(time.perf_counter() - start)
print(json.dumps({"seconds": times, "faces": len(faces), "volume": solid.val().Volume()}))
"""


def catalogue_times() -> None:
    rows = []
    for style in presets.names("styles"):
        runs = []
        for _ in range(ROUNDS):
            done = subprocess.run(
                [sys.executable, "-c", CATALOGUE, style], capture_output=True, text=True, check=True
            )
            runs.append(json.loads(done.stdout))
        wall, cpu, faces = min(runs)
        rows.append((style, f"{wall:.2f} s", f"{cpu:.2f} s", faces))
    count = len(presets.load_catalogue().pieces)
    title = f"All {count} pieces in one style, fresh process, best of {ROUNDS}"
    show(title, ("style", "time", "of the processor", "triangles"), rows)


def ours() -> tuple[list[float], int, float]:
    """Seconds of each round (nothing kept from one to the next), triangles, volume in mm³."""
    piece, fit = presets.load_catalogue().quadrant, fit_of(presets.load_printer("a1-mini"))
    times = []
    for _ in range(ROUNDS):
        own_solid.cache_clear()
        start = time.perf_counter()
        mesh = to_mesh(build_solid(piece, fit))
        times.append(time.perf_counter() - start)
    return times, len(mesh.faces), measure(mesh).volume_mm3


def quadrant_times() -> None:
    times, faces, volume = ours()
    rows: list[tuple[object, ...]] = [
        ("FallDamage Forge", f"{min(times):.2f} s", "1.0", faces, f"{volume / 1000:.1f} cm³")
    ]
    python = environment("cadquery", "cadquery")
    if isinstance(python, str):
        print(f"\nCadQuery is left out: {python}")
    else:
        found = ask_peer(python, QUADRANT, question())
        least = min(found["seconds"])
        rows.append(
            (
                "CadQuery",
                f"{least:.2f} s",
                f"{least / min(times):.1f}",
                found["faces"],
                f"{found['volume'] / 1000:.1f} cm³",
            )
        )
    head = ("quadrant of 5x5 tiles", "time", "times ours", "triangles", "volume")
    show(f"A base quadrant, from nothing to triangles, best of {ROUNDS}", head, rows)


def question() -> dict[str, object]:
    """The numbers of the standard that make a quadrant."""
    knobs, pockets = seam_places(5, 30.0)
    standard, fit = STANDARD, fit_of(presets.load_printer("a1-mini"))
    return {
        "rounds": ROUNDS,
        "size": 150.0,
        "pitch": 30.0,
        "gap": fit.seam_mm,
        "skin": standard.skin_mm,
        "high": standard.base_mm,
        "wall": standard.wall_mm,
        "rim": standard.rim_mm,
        "socket": standard.socket_mm,
        "radius": standard.seam_radius_mm,
        "neck": standard.seam_neck_mm,
        "centre": standard.seam_centre_mm,
        "offset": standard.keyhole_offset_mm,
        "key_radius": standard.keyhole_radius_mm,
        "key_neck": standard.keyhole_neck_mm,
        "key_centre": standard.keyhole_centre_mm,
        "key_depth": standard.keyhole_depth_mm,
        "knobs": knobs,
        "pockets": pockets,
    }


def main() -> None:
    catalogue_times()
    quadrant_times()


if __name__ == "__main__":
    main()
