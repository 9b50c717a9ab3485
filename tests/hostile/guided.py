"""Feeds one reader with inputs that reach code that none before reached (atheris, libFuzzer).

Run: python -m tests.hostile.guided READER SECONDS
What is found new is kept in `tests/hostile/corpus/READER`, thinned to what reaches something of its
own when the time is over; the default tests read every kept input. An input that brings anything
but a diagnostic, or takes longer than 2 s, ends the run with its bytes in a file named in the last
line. Needs `pip install atheris`.
"""

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")
MAX_BYTES = 4096


def kept(reader: str) -> list[bytes]:
    """The kept inputs of a reader, in the order of their names."""
    return [path.read_bytes() for path in sorted((CORPUS / reader).glob("*"))]


def _child(program: str, reader: str, flags: list[str]) -> None:
    import atheris

    with atheris.instrument_imports(include=["falldamage_forge"]):
        from falldamage_forge.issues import ForgeError
        from tests.hostile.readers import READERS
    read, _ = READERS[reader]

    def one(data: bytes) -> None:
        with contextlib.suppress(ForgeError):
            read(data)

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
        limits = (f"-max_len={MAX_BYTES}", "-timeout=2", "-rss_limit_mb=2048")
        program = str(_program(Path(name), reader))
        folders = (str(found), str(home), str(seeds))
        left = f"-artifact_prefix={Path.cwd()}/{reader}-"
        command = [program, *limits, left, f"-max_total_time={seconds}", *folders]
        status = subprocess.run(command, check=False).returncode
        if status == 0:
            # The seeds come first, so that only what they do not reach is kept.
            thinned = [program, *limits, "-merge=1", str(seeds), str(found), str(home)]
            subprocess.run(thinned, check=True)
            for path in home.glob("*"):
                path.unlink()
            for path in sorted(seeds.glob("*")):
                if not path.name.startswith("seed-"):
                    (home / path.name[:12]).write_bytes(path.read_bytes())
        return status


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        _child(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(main(sys.argv[1], int(sys.argv[2])))
