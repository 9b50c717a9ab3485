"""Compile the static site's Python to bytecode with Pyodide in Node; this halves the start time.

Modules on the way to the page's first verdict are compiled, others stay source. Without Node all
stays source.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

LIBRARY, OURS = "python_stdlib.zip", "python.zip"
WAIT_S = 600
SCRIPT = """\
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "./pyodide.mjs";
const env = { FDFORGE_CACHE: "off", HOME: "/forge", PYTHONHASHSEED: "0" };
const python = await loadPyodide({ indexURL: `${process.cwd()}/`, env });
const names = ["python_stdlib.zip", "python.zip"];
for (const name of names) python.FS.writeFile(`/${name}`, readFileSync(name));
python.runPython(readFileSync("compile.py", "utf8"));
for (const name of names) writeFileSync(name, python.FS.readFile(`/${name}`));
"""
PROGRAM = """\
import io, marshal, sys, zipfile
from importlib.util import MAGIC_NUMBER
from pathlib import Path

zipfile.ZipFile("/python.zip").extractall("/forge")
sys.path.insert(0, "/forge")
from falldamage_forge.studio.pyodide_host import InteractiveWorker

quick = InteractiveWorker()
quick.on_connect()
list(quick.run_stages())
loaded = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
UNCHECKED = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)


def compiled(archive, root):
    out = io.BytesIO()
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(out, "w") as new:
        for path in old.namelist():
            data, place = old.read(path), f"{root}/{path}"
            if place in loaded:
                data = UNCHECKED + marshal.dumps(compile(data, place, "exec", dont_inherit=True))
                path += "c"
            new.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED, 9)
    archive.write_bytes(out.getvalue())


compiled(Path("/python.zip"), "/forge")
compiled(Path("/python_stdlib.zip"), next(path for path in sys.path if path.endswith(".zip")))
"""


def compile_bytecode(runtime: Mapping[str, bytes], python: bytes) -> tuple[bytes, bytes] | None:
    """Return Pyodide's library and our archive with compiled modules; None without Node.

    Args:
        runtime: Pyodide's files by name.
        python: Our archive, a zip of sources.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = {
            **runtime,
            OURS: python,
            "run.mjs": SCRIPT.encode(),
            "compile.py": PROGRAM.encode(),
        }
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        try:
            words = ["node", "run.mjs"]
            done = subprocess.run(
                words, cwd=folder, capture_output=True, timeout=WAIT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode:
            return None
        return Path(folder, LIBRARY).read_bytes(), Path(folder, OURS).read_bytes()
