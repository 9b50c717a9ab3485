"""What every test shares: no deadlines on shared machines, more examples when asked for."""

import os

from hypothesis import settings

settings.register_profile("default run", deadline=None)
settings.register_profile("exhaustive", deadline=None, max_examples=2000)
settings.load_profile("exhaustive" if "FORGE_EXHAUSTIVE" in os.environ else "default run")
