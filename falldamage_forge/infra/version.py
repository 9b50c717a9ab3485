"""Version of the package: in files that it writes, and in `pyproject.toml`."""

FORGE_VERSION = "0.3.0"
