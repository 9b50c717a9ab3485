"""A command keeps the memory of freed arrays: the system need not clear each page anew."""

import platform

import pytest

from tests.cli.running import python

SCRIPT = """
import resource, sys
import numpy as np
from falldamage_forge.infra.freed_memory import keep_freed_memory
if sys.argv[1] == "kept":
    assert keep_freed_memory()
def fill():
    return sum(float(one[0]) for one in [np.ones(1_500_000) for _ in range(6)])  # 72 MB
fill()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    fill()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def page_faults(way: str) -> int:
    """Return how many pages the system gave for twenty times six arrays after the first."""
    return int(python("-c", SCRIPT, way))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="mallopt is of the GNU C library")
def test_memory_of_freed_arrays_is_used_again() -> None:
    assert 20 * page_faults("kept") < page_faults("given back")
