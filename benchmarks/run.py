"""Runs every benchmark here and writes docs/benchmarks.md.

Run: python benchmarks/run.py [NAME …], for example `python benchmarks/run.py graphs growth`.
Peers are installed into environments of their own; one that cannot be is told with the reason.
"""

import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
NAMED = ("numpy", "shapely", "manifold3d", "trimesh", "numpy-stl", "lark", "highspy")
HEAD = """# Benchmarks

`python benchmarks/run.py` writes this page. In each table the forge and the other libraries ran in
turns in one run. Machines differ and are noisy, so read the ratios.

Some libraries are faster. trimesh writes an STL in half of our time, because it checks neither
invalid numbers nor inverted meshes, and has its normals ready. numpy-stl reads triangles sooner,
because it does not merge their corners. scipy and rustworkx come nearest for turns between all
pairs; they support neither ends of activations nor occupied tiles. Sight between all pairs grows
with the square of the tiles.
"""


def main() -> None:
    wanted = sys.argv[1:]
    parts = [HEAD]
    versions = ", ".join(f"{name} {version(name)}" for name in NAMED)
    parts.append(f"Python {platform.python_version()} on {platform.machine()}; {versions}.\n")
    for path in sorted(HERE.glob("bench_*.py")):
        name = path.stem.removeprefix("bench_")
        if wanted and name not in wanted:
            continue
        print(f"running {path.name}", file=sys.stderr)
        done = subprocess.run(
            [sys.executable, path.name], cwd=HERE, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{path.name} failed:\n{done.stderr}")
        parts.append(f"## {name}\n{done.stdout}")
    page = "\n".join(parts)
    if wanted:
        print(page)
    else:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
