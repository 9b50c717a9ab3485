"""The address of a studio, kept for a while, so that an open page finds back after a restart.

One file for each map, in the folder of the drafts, which nobody but its owner may read.
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

from falldamage_forge.issues import ForgeError
from falldamage_forge.staging import write_file
from falldamage_forge.studio import journal

KEPT_S = 7 * 24 * 3600
"""How long after it was made an address may be used again."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,64}")


class Address(NamedTuple):
    """A port of this machine, and the token that opens the studio behind it."""

    port: int
    token: str


def fresh(port: int) -> Address:
    """An address that nobody knows yet."""
    return Address(port, secrets.token_urlsafe(24))


def kept(home: str) -> Address | None:
    """The address of the last studio on a map, unless it is old or others could have read it."""
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
    """Keep an address; where that cannot be done the next start has another one."""
    with contextlib.suppress(ForgeError, OSError):
        write_file(_path(home), json.dumps(address._asdict()).encode(), mode=0o600)


def _path(home: str) -> Path:
    return journal.folder() / f"{home}.address"
