"""Optional libraries: the command that installs the ones of an extra of `pyproject.toml`."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

from falldamage_forge.issues import ForgeError, refuse

PACKAGE = "falldamage-forge"


def installing(extra: str) -> str:
    """Return the command that installs the libraries of an extra.

    The libraries are named, and not the extra: this works in any folder.
    """
    try:
        lines = requires(PACKAGE) or []
    except PackageNotFoundError:
        lines = []
    mark = re.compile(rf"""extra == ['"]{re.escape(extra)}['"]""")
    needs = [line.partition(";")[0].strip() for line in lines if mark.search(line)]
    return " ".join(["pip install", *(f"'{need}'" for need in needs or [f".[{extra}]"])])


def missing(extra: str, doing: str) -> ForgeError:
    """Return the error (FDF503) of something that needs the libraries of an extra."""
    return refuse("FDF503", f"{doing} needs libraries that are not installed", installing(extra))
