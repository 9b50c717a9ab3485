"""Runs benchmarks here and writes their sections of docs/benchmarks.md, with day and commit.

Run: python benchmarks/run.py [NAME …], for example `python benchmarks/run.py graphs growth`;
without names all of them. Peers are installed into environments of their own; one that cannot be
is told with the reason.
"""

import platform
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from shared import measured_now

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
NAMED = ("numpy", "shapely", "manifold3d", "trimesh", "numpy-stl", "lark", "highspy")
HEAD = """# Benchmarks

`python benchmarks/run.py` writes this page; with names, such as `commands growth`, it writes
those sections alone. Each section names its day and commit. In each table the forge and the other
libraries ran in turns in one run. Machines differ and are noisy, so read the ratios.

Some libraries are faster. trimesh writes an STL sooner, because it checks neither invalid numbers
nor inverted meshes, and has its normals ready. numpy-stl reads triangles sooner, because it does
not merge their corners. scipy and rustworkx come nearest for turns between all pairs; they support
neither ends of activations nor occupied tiles. Sight between all pairs grows with the square of the
tiles.
"""


def sections(page: str) -> dict[str, str]:
    """Return the sections of the page by name, as they stand."""
    found = re.split(r"^## (\w+)\n", page, flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def section(script: Path) -> str:
    """Run a benchmark and return its section with the day, the commit and the versions."""
    print(f"running {script.name}", file=sys.stderr)
    done = subprocess.run(
        [sys.executable, script.name], cwd=HERE, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{script.name} failed:\n{done.stderr}")
    versions = ", ".join(f"{name} {version(name)}" for name in NAMED)
    where = f"Python {platform.python_version()} on {platform.machine()}; {versions}"
    return f"\nMeasured on {measured_now()}. {where}.\n{done.stdout}\n"


def main() -> None:
    """Write the sections that are named, or all of them."""
    scripts = {path.stem.removeprefix("bench_"): path for path in sorted(HERE.glob("bench_*.py"))}
    wanted = sys.argv[1:] or list(scripts)
    if unknown := set(wanted) - set(scripts):
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(scripts)}")
    for name in wanted:
        found = sections(PAGE.read_text("utf-8")) | {name: section(scripts[name])}
        body = "".join(f"## {each}\n{found[each]}" for each in scripts if each in found)
        PAGE.write_text(f"{HEAD}\n{body}".rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
