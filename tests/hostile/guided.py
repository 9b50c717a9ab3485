"""Feeds one reader with inputs that reach code that none before reached (atheris, libFuzzer).

Run: python -m tests.hostile.guided READER SECONDS
What is found new is kept in `tests/hostile/corpus/READER`, thinned when the time is over to few
inputs that reach as much together; the default tests read every kept input. An input that brings
anything but a diagnostic, or takes longer than 6 s of the processor (watched code is thrice as
slow), ends the run with its bytes in a file named in the last line. Prints the reader, the inputs
tried, the edges reached and the inputs kept, as a row of a table. Needs `pip install atheris`.
"""

import contextlib
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")
MAX_BYTES = 4096
SECONDS = 6.0
"""Of the processor: a busy machine makes nothing slow."""


def kept(reader: str) -> list[bytes]:
    """The kept inputs of a reader, in the order of their names."""
    return [path.read_bytes() for path in sorted((CORPUS / reader).glob("*"))]


def _child(program: str, reader: str, flags: list[str]) -> None:
    import atheris

    with atheris.instrument_imports(include=["falldamage_forge"]):
        from falldamage_forge.issues import ForgeError
        from tests.hostile import fuzz
        from tests.hostile.readers import READERS
    read, _ = READERS[reader]
    signal.signal(signal.SIGPROF, fuzz.on_alarm)

    def one(data: bytes) -> None:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        with contextlib.suppress(ForgeError):
            read(data)
        signal.setitimer(signal.ITIMER_PROF, 0)

    atheris.Setup([program, *flags], one)
    atheris.Fuzz()


def _program(folder: Path, reader: str) -> Path:
    """The fuzzer as one file that libFuzzer can start again, as it does to thin a corpus."""
    path = folder / "fuzz"
    words = f'"{sys.executable}" -m tests.hostile.guided --child "$0" {reader} "$@"'
    path.write_text(f"#!/bin/sh\nexec {words}\n")
    path.chmod(0o755)
    return path


def main(reader: str, seconds: int) -> int:
    """0 when nothing got through in so many seconds."""
    from tests.hostile.readers import READERS

    home = CORPUS / reader
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        found, seeds = Path(name) / "found", Path(name) / "seeds"
        for folder in (found, seeds):
            folder.mkdir()
        for number, data in enumerate(READERS[reader][1]):
            (seeds / f"seed-{number:03}").write_bytes(data)
        limits = (f"-max_len={MAX_BYTES}", "-timeout=120", "-rss_limit_mb=2048")
        program = str(_program(Path(name), reader))
        folders = (str(found), str(home), str(seeds))
        left = f"-artifact_prefix={Path.cwd()}/{reader}-"
        command = [program, *limits, left, f"-max_total_time={seconds}", *folders]
        done = subprocess.run(command, check=False, stderr=subprocess.PIPE)
        said, status = done.stderr.decode("utf-8", "replace"), done.returncode
        if status:
            print(said[-4000:])
        else:
            # The seeds come first, so that only what they do not reach is kept.
            thinned = [program, *limits, "-set_cover_merge=1", str(seeds), str(found), str(home)]
            subprocess.run(thinned, check=True, stderr=subprocess.DEVNULL)
            for path in home.glob("*"):
                path.unlink()
            for path in sorted(seeds.glob("*")):
                if not path.name.startswith("seed-"):
                    (home / path.name[:12]).write_bytes(path.read_bytes())
            tried, edges = re.findall(r"^#(\d+)\s.*\bcov: (\d+)", said, re.MULTILINE)[-1]
            print(f"| {reader} | {tried} | {edges} | {len(kept(reader))} |")
        return status


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        _child(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(main(sys.argv[1], int(sys.argv[2])))
