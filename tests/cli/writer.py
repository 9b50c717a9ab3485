"""Writes one export after another into a folder until it is killed, and says when it has begun."""

import sys
from pathlib import Path

from falldamage_forge.infra.artifacts import Artifact, manifest
from falldamage_forge.infra.atomic_write import write_folder


def export(label: str, files: int = 6) -> tuple[Artifact, ...]:
    parts = [Artifact(f"pieces/{label}-{n}.stl", label.encode() * 5000) for n in range(files)]
    return (*parts, manifest(parts, {"title": label}))


if __name__ == "__main__":
    for number in range(10_000):
        write_folder(Path(sys.argv[1]), export(f"round{number % 7}"))
        if number == 0:
            print("begun", flush=True)
