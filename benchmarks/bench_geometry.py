"""Meshes: the whole catalogue in each style, and a base quadrant against CadQuery.

The catalogue is made once in a fresh process, imports not counted, as `fdforge prove` does. The
quadrant is modelled twice from the same numbers: by our builder, and in CadQuery as its manual
teaches, from sketches and lofts, without the cut corners, bosses and ties that ours has. Volumes
are shown so that it can be seen that both made about the same thing. CadQuery is installed into an
environment of its own.
"""

import json
import os
import subprocess
import sys

from shared import ask_peer, environment, show

from falldamage_forge import presets
from falldamage_forge.geometry.connector_standard import STANDARD, heads, places
from falldamage_forge.geometry.piece_mesh import fit_of

ROUNDS = 3
CATALOGUE = """
import json, sys, time
import manifold3d, numpy, shapely
from falldamage_forge import presets
from falldamage_forge.geometry.piece_mesh import build
printer, catalogue = presets.load_printer("a1-mini"), presets.load_catalogue()
style = presets.load_style(sys.argv[1])
wall, cpu = time.perf_counter(), time.process_time()
faces = sum(len(build(piece, printer, style).faces) for piece in catalogue.pieces.values())
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, faces]))
"""
OUR_QUADRANT = """
import json, time
import manifold3d, numpy, shapely
from falldamage_forge import presets
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.mesh_properties import measure
printer, piece = presets.load_printer("a1-mini"), presets.load_catalogue().quadrant
start = time.perf_counter()
mesh = build(piece, printer)
print(json.dumps([time.perf_counter() - start, len(mesh.faces), measure(mesh).volume_mm3]))
"""
QUADRANT = """
import json, sys, time
import cadquery as cq

q = json.load(sys.stdin)

def frustum(low, high, top, bottom):
    work = cq.Workplane(origin=(0, 0, bottom)).rect(2 * low, 2 * low)
    return work.workplane(offset=top - bottom).rect(2 * high, 2 * high).loft(ruled=True)

def quadrant():
    pitch, count = q["pitch"], q["count"]
    steps = [(index + 0.5) * pitch for index in range(count)]
    at = [(x, -y) for y in steps for x in steps]
    head = None
    for (z0, a), (z1, b) in zip(q["head"], q["head"][1:]):
        part = frustum(b, a, z0, z1)
        head = part if head is None else head.union(part)
    inner = q["throat"] - q["wall"]
    hollow = frustum(q["head"][-1][1] - q["wall"], inner, q["under"], q["low"] - 1)
    room = cq.Workplane(origin=(0, 0, q["under"])).rect(2 * inner, 2 * inner)
    cell = head.cut(room.extrude(-q["skin"] - q["under"])).cut(hollow)
    for turn in range(4):
        for x in (-q["key"], q["key"]):
            slot = cq.Workplane(origin=(x, 13.4, 0)).rect(1.1, 3.2).extrude(-0.72)
            cell = cell.cut(slot.rotate((0, 0, 0), (0, 0, 1), 90 * turn))
    body = None
    for x, y in at:
        one = cell.translate((x, y, 0))
        body = one if body is None else body.union(one)
    return body

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
            runs.append(anew(CATALOGUE, style))
        wall, cpu, faces = min(runs)
        rows.append((style, f"{wall:.2f} s", f"{cpu:.2f} s", faces))
    count = len(presets.load_catalogue().pieces)
    title = f"All {count} pieces in one style, fresh process, best of {ROUNDS}"
    show(title, ("style", "time", "of the processor", "triangles"), rows)


def anew(script: str, *words: str) -> list[float]:
    """What a script prints as JSON, in a process that finds no mesh kept."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FDFORGE_CACHE": "off"},
    )
    found: list[float] = json.loads(done.stdout)
    return found


def ours() -> tuple[list[float], float, float]:
    """Seconds of each round, triangles, volume in mm³."""
    runs = [anew(OUR_QUADRANT) for _ in range(ROUNDS)]
    return [run[0] for run in runs], runs[0][1], runs[0][2]


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
    """The numbers of the standard that make a quadrant's stones, without ties and corners cut."""
    standard, fit = STANDARD, fit_of(presets.load_printer("a1-mini"))
    sizes = heads(fit)
    half = fit.grid.pitch_mm / 2
    ends = sizes.throat_mm + standard.flare * (standard.base_mm - standard.throat_depth_mm)
    return {
        "rounds": ROUNDS,
        "count": 5,
        "pitch": fit.grid.pitch_mm,
        "head": [
            (0.0, sizes.top_mm),
            (-standard.bevel_depth_mm, sizes.face_mm),
            (-standard.under_depth_mm, sizes.throat_mm),
            (-standard.base_mm, min(ends, half)),
        ],
        "wall": fit.wall_mm,
        "throat": sizes.throat_mm,
        "skin": standard.base_skin_mm,
        "under": -standard.throat_depth_mm,
        "low": -standard.base_mm,
        "key": places(fit).key_at_mm,
    }


def main() -> None:
    catalogue_times()
    quadrant_times()


if __name__ == "__main__":
    main()
