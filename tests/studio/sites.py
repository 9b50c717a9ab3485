"""A small site for tests: the pieces of one small map, Pyodide only where npm has brought it."""

import io
import sys
import zipfile
from functools import cache
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.lang.new_map_template import TEMPLATE
from falldamage_forge.library.forge import Forge
from falldamage_forge.studio import static_site as sites
from tests.cli import running

TEXT = """forge 1
title "A small table"
board 10x10
players 2
stack C3, H8 height 1
stack C4..D4, G7..H7 height 2
tree at E2
start red at B1..I1
start blue at B10..I10
"""
STYLE = "plain"


@cache
def keys() -> frozenset[str]:
    forge = Forge()
    texts = (TEXT, TEMPLATE.format(title="A new table"))  # a page begins with the beginner's map
    used = (key for text in texts for key in forge.plan(forge.loads(text)).counts())
    return frozenset(used) | {"block-1x1x1", "block-1x1x2", "spire"}  # of the stamp that they set


@cache
def baked() -> tuple[dict[str, bytes], bytes]:
    """The site's meshes by path, and its table of sizes."""
    files, sizes = sites._baked(STYLE, presets.load_printer("a1-mini"), keys())
    return {file.path: file.data for file in files}, sizes


def sizes() -> bytes:
    """The site's table of sizes."""
    return baked()[1]


@cache
def python() -> bytes:
    """The Python archive of the site."""
    return sites._python((STYLE,), {STYLE: sizes()})


def run(folder: Path, program: str) -> str:
    """What a program prints in a Python that knows nothing but its library and the archive."""
    zipfile.ZipFile(io.BytesIO(python())).extractall(folder)
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\n{program}"
    # Neither environment nor site-packages: as bare as the browser's.
    done = running.run([sys.executable, "-I", "-S", "-c", code], env={"FDFORGE_CACHE": "off"})
    assert done.returncode == 0, done.stderr
    return done.stdout
