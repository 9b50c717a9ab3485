"""Optional libraries: the command that installs an extra of `pyproject.toml`."""

from __future__ import annotations

import re

from falldamage_forge.issues import ForgeError, refuse

PACKAGE = "falldamage-forge"


def installing(extra: str) -> str:
    """Return the `pip install` command for an extra.

    It lists the libraries instead of the extra, so it works in any folder.
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = requires(PACKAGE) or []
    except PackageNotFoundError:
        lines = []
    mark = re.compile(rf"""extra == ['"]{re.escape(extra)}['"]""")
    needs = [line.partition(";")[0].strip() for line in lines if mark.search(line)]
    return " ".join(["pip install", *(f"'{need}'" for need in needs or [f".[{extra}]"])])


def missing(extra: str, doing: str) -> ForgeError:
    """Return the error (FDF503) for a feature whose optional libraries are not installed.

    Args:
        extra: Name of the extra, such as `studio`.
        doing: The feature, as the subject of the message.
    """
    return refuse("FDF503", f"{doing} needs libraries that are not installed", installing(extra))
