"""What every test shares: no deadlines on shared machines, more examples when asked for.

Nobody's own settings, meshes and drafts are read or written: all are kept in a folder of the run.
"""

import os
import sys
import tempfile
from pathlib import Path

from hypothesis import settings

from tests.amount import EXHAUSTIVE

# The same commit gets the same verdict from CI; everybody else's runs look elsewhere each time.
settings.register_profile("default run", deadline=None, derandomize="CI" in os.environ)
settings.register_profile("exhaustive", deadline=None, max_examples=2000)
settings.load_profile("exhaustive" if EXHAUSTIVE else "default run")

# Workers and commands inherit it, so a mesh is made once a run.
_HOME = Path(os.environ.setdefault("FORGE_TEST_HOME", tempfile.mkdtemp(prefix="forge-test-")))
os.environ["FDFORGE_CONFIG_DIR"] = str(_HOME / "config")
os.environ["FDFORGE_CACHE_DIR"] = str(_HOME / "meshes")
os.environ["FDFORGE_HELPERS"] = "0"  # every processor has tests to run
# What one process compiled the next reads, also where the environment would not have it kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["FDFORGE_DRAFTS_DIR"] = str(_HOME / "drafts")
