"""Connection to a Dask scheduler, for playtests and searches."""

from __future__ import annotations

import logging
from typing import Any

from falldamage_forge.extras import missing
from falldamage_forge.issues import refuse

CONNECT_S = 10
"""Seconds a scheduler has to answer at all."""


def connected(address: str) -> Any:
    """Return a `distributed.Client` of the scheduler at an address.

    Raises:
        ForgeError: FDF503 without distributed; FDF505 when no scheduler answers.
    """
    try:
        import distributed
    except ImportError:
        raise missing("cluster", "working on a cluster") from None
    dask: Any = distributed
    # The error is told once, as an issue, and not by a traceback of each thread.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        return dask.Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        message = f"no dask scheduler answers at `{address}`: {error}"
        hint = "start one with `dask scheduler`, and workers with `dask worker ADDRESS`"
        raise refuse("FDF505", message, hint) from None
