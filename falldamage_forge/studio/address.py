"""Address of a studio, stored for a while so that an open page reconnects after a restart.

One file per map, in the folder of the drafts, readable by its owner only.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from falldamage_forge.infra.atomic_write import write_file
from falldamage_forge.issues import ForgeError
from falldamage_forge.studio import draft_files

KEPT_S = 7 * 24 * 3600
"""Seconds for which an address may be reused."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,64}")


class Address(NamedTuple):
    """A port on loopback, and the token that a page must send."""

    port: int
    token: str


def fresh(port: int) -> Address:
    """Return an address with a new random token."""
    return Address(port, secrets.token_urlsafe(24))


def kept(home: str) -> Address | None:
    """Return the last address of a map's studio; None if it is old or others could have read it."""
    path = _path(home)
    try:
        status = path.stat()
        if time.time() - status.st_mtime > KEPT_S:
            return None
        if os.name == "posix" and (status.st_uid != os.getuid() or status.st_mode & 0o077):
            return None
        read = json.loads(path.read_bytes())
        port, token = read["port"], read["token"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    known = type(port) is int and 0 < port < 65536 and isinstance(token, str)
    return Address(port, token) if known and _TOKEN.fullmatch(token) else None


def keep(home: str, address: Address) -> None:
    """Store an address; if that fails, the next start uses another one.

    Args:
        home: Folder of the session.
        address: Address to store.
    """
    with contextlib.suppress(ForgeError, OSError):
        write_file(_path(home), json.dumps(address._asdict()).encode(), mode=0o600)


def _path(home: str) -> Path:
    return draft_files.folder() / f"{home}.address"
