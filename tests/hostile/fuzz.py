"""Feeds one reader with mutated inputs, within bounds of time and memory.

Run: python -m tests.hostile.fuzz READER COUNT [SEED]
Prints the inputs tried, and on a failure the seed that brings it back. Limits: 2 s of the
processor an input, and 512 MB beyond what the process needed before the first one.
"""

import random
import resource
import signal
import sys
import time
from typing import Any

from falldamage_forge.issues import ForgeError
from tests.hostile.readers import READERS

SECONDS = 2.0
GROWTH_MB = 512
TOKENS = [
    b"\0", b"\xff", b"\xef\xbb\xbf", b"{", b"}", b'"', b"'", b"#", b"\n", b"\r", b"->", b"..",
    b"-1", b"0", b"99999999999999999999", b"1e999", b"nan", b"inf", b"A1", b"Z99", b"at", b"map",
    b"place", b"define", b"symmetry", b"mirror", b"import", b"except", b"[", b"]]", b"=", b",",
    b";", b"=1+1", b"\xf0\x9f\x8c\x8b", b"\xe2\x80\xae", b"\xc2\xa0", b"[[a]]", b"\"\"\"",
]  # fmt: skip


def mutate(dice: random.Random, seeds: list[bytes]) -> bytes:
    """A seed with one to eight changes: bytes, tokens, cuts, copies, splices and repeats."""
    data = bytearray(dice.choice(seeds))
    for _ in range(dice.choice((1, 1, 2, 3, 8))):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.choice((1, 2, 8, 64)))
        match dice.randrange(8):
            case 0:
                data[at:at] = dice.choice(TOKENS)
            case 1:
                data[at:end] = dice.choice(TOKENS)
            case 2:
                del data[at:end]
            case 3:
                data[at:at] = data[at:end] * dice.choice((1, 2, 40))
            case 4:
                data[at:end] = bytes(dice.randrange(256) for _ in range(end - at))
            case 5:
                other = dice.choice(seeds)
                start = dice.randrange(len(other) + 1)
                data[at:at] = other[start : start + 200]
            case 6:
                del data[at:]
            case _:
                if at < len(data):
                    data[at] ^= 1 << dice.randrange(8)
    return bytes(data)


def on_alarm(*_: Any) -> None:
    raise TimeoutError


def run(reader: str, count: int, seed: int) -> str | None:
    """None when all went well, else what went wrong and with which seed."""
    read, seeds = READERS[reader]
    for data in seeds:
        try:
            read(data)
        except ForgeError:
            continue
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    signal.signal(signal.SIGPROF, on_alarm)
    for number in range(seed, seed + count):
        data = mutate(random.Random(number), seeds)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            read(data)
        except ForgeError:
            pass
        except TimeoutError:
            return f"{reader} {number}: longer than {SECONDS} s"
        except Exception as error:
            return f"{reader} {number}: {type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if number % 100 == 0:
            now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            if now - before > GROWTH_MB:
                return f"{reader} {number}: grew by {now - before:.0f} MB"
    return None


def main() -> None:
    reader, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    start = time.monotonic()
    failure = run(reader, count, seed)
    if failure:
        sys.exit(failure)
    print(f"{reader}: {count} inputs in {time.monotonic() - start:.0f} s, nothing got through")


if __name__ == "__main__":
    main()
