"""Modules that short commands import, against the lists in `imports.json`.

Run: python benchmarks/bench_imports.py          compares; exit code 1 for a module too many
     python benchmarks/bench_imports.py --write  writes the lists anew

Time on a shared machine is noise; a module that a command begins to import is not. Modules of the
package and of other distributions are listed by name. Those of Python differ by its version, so
only the heavy ones are, in `HEAVY`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "imports.json"
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "--help": ("--help",),
    "presets": ("presets",),
    "explain": ("explain", "FDF301"),
    "check": ("check", "duel"),
    "reach": ("reach", "duel", "--unit", "knight", "--from", "B1"),
    "path": ("path", "duel", "--unit", "knight", "--from", "B1", "--to", "B10"),
    "los": ("los", "duel", "B1", "B10"),
}
HEAVY = (
    *("asyncio", "ctypes", "email", "http", "importlib.metadata", "lzma", "multiprocessing"),
    *("socket", "sqlite3", "ssl", "subprocess", "unittest", "urllib.request", "xml", "zipfile"),
)
"""Modules of Python that cost a short command more than a millisecond."""
PACKAGE = "falldamage_forge"
_RUN = """
import json, sys
from falldamage_forge.cli import main
sys.argv = ["fdforge", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
print("\\n" + json.dumps(sorted(sys.modules)))
"""


def imported(words: tuple[str, ...], cache: Path) -> list[str]:
    """The listed modules that a command imports, with a filled cache."""
    env = {**os.environ, "FDFORGE_CACHE_DIR": str(cache), "FDFORGE_CACHE": "", "LC_ALL": "C"}
    env["PYTHONPATH"] = os.pathsep.join((str(HERE.parent), env.get("PYTHONPATH", "")))
    asked = [sys.executable, "-c", _RUN, *words]
    for _ in range(2):  # the first fills the cache
        done = subprocess.run(asked, env=env, capture_output=True, text=True, check=True)
    names = set(json.loads(done.stdout.splitlines()[-1]))
    tops = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    outside = {name for name in tops if not name.startswith(("_", PACKAGE, "sitecustomize"))}
    own = {name for name in names if name.startswith(PACKAGE)}
    return sorted(own | outside | (names & set(HEAVY)))


def all_imported() -> dict[str, list[str]]:
    """The modules of every command of the table."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: imported(words, Path(folder)) for name, words in COMMANDS.items()}


def compared(found: Mapping[str, list[str]], kept: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The modules of each command that are not on its list."""
    more = {name: sorted(set(found[name]) - set(kept.get(name, ()))) for name in found}
    return {name: modules for name, modules in more.items() if modules}


def main() -> int:
    found = all_imported()
    if sys.argv[1:] == ["--write"]:
        KEPT.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        return 0
    kept = json.loads(KEPT.read_text("utf-8"))
    for name, modules in found.items():
        print(f"{name}: {len(modules)} modules, {len(kept.get(name, ()))} on its list")
    too_many = compared(found, kept)
    for name, modules in too_many.items():
        print(f"`{name}` imports {', '.join(modules)}, which is not on its list")
    if too_many:
        print("import it where it is used, or run `python benchmarks/bench_imports.py --write`")
    return bool(too_many)


if __name__ == "__main__":
    sys.exit(main())
