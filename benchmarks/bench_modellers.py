"""One plate of sockets and holes in the forge's kernel, CadQuery, build123d and OpenSCAD.

Run: python benchmarks/bench_modellers.py
A square plate with a rim, 25 square sockets and 16 round holes right through: a base without what
only the forge knows. Everybody starts from the same numbers and ends with triangles. OpenSCAD's
time holds the start of its process and the STL it writes, since it cannot be asked otherwise.
"""

import math
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from shared import ask_peer, environment, milliseconds, show

SIZE, HIGH, PITCH, SOCKET, HOLE = 150.0, 4.0, 30.0, 12.0, 3.0
SIDES = 32
MIDDLES = [(i * PITCH - 60.0, j * PITCH - 60.0) for i in range(5) for j in range(5)]
GRID = [(i * PITCH - 45.0, j * PITCH - 45.0) for i in range(4) for j in range(4)]
VOLUME = (SIZE**2 - 25 * SOCKET**2) * HIGH
QUESTION = {
    "size": SIZE, "high": HIGH, "socket": SOCKET, "hole": HOLE, "middles": MIDDLES, "grid": GRID,
}  # fmt: skip
CADQUERY = """
import json, sys, time
import cadquery as cq
q = json.load(sys.stdin)
def plate():
    body = cq.Workplane().rect(q["size"], q["size"]).extrude(q["high"])
    sockets = cq.Workplane().pushPoints(q["middles"]).rect(q["socket"], q["socket"])
    body = body.cut(sockets.extrude(q["high"]))
    body = body.cut(cq.Workplane().pushPoints(q["grid"]).circle(q["hole"]).extrude(q["high"]))
    return body.val(), body.val().tessellate(0.05)
times = []
for _ in range(3):
    start = time.perf_counter()
    solid, _ = plate()
    times.append((time.perf_counter() - start) * 1000)
print(json.dumps([min(times), solid.Volume()]))
"""
BUILD123D = """
import json, sys, time
from build123d import Box, Cylinder, Locations, Pos
q = json.load(sys.stdin)
def plate():
    body = Box(q["size"], q["size"], q["high"])
    body -= [Pos(x, y) * Box(q["socket"], q["socket"], q["high"]) for x, y in q["middles"]]
    body -= [Pos(x, y) * Cylinder(q["hole"], q["high"]) for x, y in q["grid"]]
    return body, body.tessellate(0.05)
times = []
for _ in range(3):
    start = time.perf_counter()
    solid, _ = plate()
    times.append((time.perf_counter() - start) * 1000)
print(json.dumps([min(times), solid.volume]))
"""


def ours() -> float:
    """The plate's volume, its mesh made on the way."""
    import shapely

    from falldamage_forge.geometry.csg import to_mesh
    from falldamage_forge.geometry.loft import extrude

    holes = [shapely.box(x - 6, y - 6, x + 6, y + 6) for x, y in MIDDLES]
    holes += [shapely.Point(x, y).buffer(HOLE, quad_segs=SIDES // 4) for x, y in GRID]
    outline = shapely.box(-75, -75, 75, 75).difference(shapely.union_all(holes))
    solid = extrude(outline, 0.0, HIGH)
    to_mesh(solid)
    return float(solid.volume())


def scad() -> str:
    sockets = "".join(f"translate([{x},{y}]) square({SOCKET}, center=true);\n" for x, y in MIDDLES)
    holes = "".join(f"translate([{x},{y}]) circle({HOLE}, $fn={SIDES});\n" for x, y in GRID)
    plate = f"square({SIZE}, center=true);\n{sockets}{holes}"
    return f"linear_extrude({HIGH}) difference() {{\n{plate}}}\n"


def with_openscad() -> tuple[float, float] | str:
    program = shutil.which("openscad")
    if program is None:
        return "not installed (apt-get install openscad)"
    import numpy as np
    import stl

    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name) / "plate.scad", Path(name) / "plate.stl"
        source.write_text(scad(), "utf-8")
        times = []
        for _ in range(3):
            start = time.perf_counter()
            command = [program, "-q", "-o", str(target), str(source)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            times.append((time.perf_counter() - start) * 1000)
            if done.returncode:
                return f"it failed: {done.stderr.strip()[-80:]}"
        made = stl.mesh.Mesh.from_file(str(target)).vectors.astype(np.float64)
        volume = np.einsum("ij,ij->i", made[:, 0], np.cross(made[:, 1], made[:, 2])).sum() / 6
        return min(times), float(volume)


def main() -> None:
    volume = ours()
    expected = VOLUME - 16 * math.pi * HOLE**2 * HIGH
    own = min(milliseconds(ours) for _ in range(9))
    rows: list[tuple[object, ...]] = [
        ("the forge", f"{own:.1f} ms", "1", f"{volume / expected:.4f}")
    ]
    for peer, script in (("cadquery", CADQUERY), ("build123d", BUILD123D)):
        python = environment(peer, peer)
        if isinstance(python, str):
            rows.append((peer, "-", python, "-"))
            continue
        try:
            time_ms, found = ask_peer(python, script, QUESTION)
        except subprocess.CalledProcessError as error:
            rows.append((peer, "-", f"it failed: {error.stderr.strip()[-80:]}", "-"))
            continue
        rows.append((peer, f"{time_ms:.0f} ms", f"{time_ms / own:.0f}", f"{found / expected:.4f}"))
    openscad = with_openscad()
    if isinstance(openscad, str):
        rows.append(("OpenSCAD", "-", openscad, "-"))
    else:
        time_ms, found = openscad
        ratio = f"{time_ms / own:.0f}"
        rows.append(("OpenSCAD", f"{time_ms:.0f} ms", ratio, f"{found / expected:.4f}"))
    head = ("", "time", "times ours", "volume over the exact one")
    show("a plate with 41 holes, to triangles", head, rows)


if __name__ == "__main__":
    main()
