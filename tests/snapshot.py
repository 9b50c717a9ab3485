"""Text snapshots: answers on maps of this repository, one fact a line, in `tests/snapshots/`.

A module of snapshots holds a table `SNAPSHOTS` from a name to a function that returns lines, and
one test that puts each to `check`. `FORGE_ACCEPT=1` writes the files; read each before you commit.
Snapshots tell codes and places of issues, never their words: those belong to `tests/diagnostics`.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

import falldamage_forge as ff

FOLDER = Path(__file__).parent / "snapshots"
MAPS = FOLDER / "maps"
MOST_LINES = 200
MOST_COLUMNS = 300
Lines = Iterable[str]
Snapshots = Mapping[str, Callable[[], Lines]]


def check(name: str, lines: Lines) -> None:
    """Compare lines with the snapshot of a name.

    Args:
        name: Area and name, such as `rules/reach-crag`; a file below `tests/snapshots/`.
        lines: The answer of today.

    Raises:
        AssertionError: If they differ; the message is a unified diff.
    """
    found = [line.rstrip() for line in lines]
    path = FOLDER / f"{name}.txt"
    if "FORGE_ACCEPT" in os.environ:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in found), "utf-8")
    kept = path.read_text("utf-8").splitlines() if path.exists() else []
    said = unified_diff(kept, found, f"{name}, accepted", f"{name}, now", n=1, lineterm="")
    assert kept == found, "\n".join((*said, "look at each line; FORGE_ACCEPT=1 accepts them"))


@cache
def small(name: str) -> ff.Map:
    """A map of `tests/snapshots/maps/`."""
    return ff.load(MAPS / f"{name}.forge")


def told(subject: str, value: Any) -> Iterator[str]:
    """Lines about a value of an answer's JSON: one for itself, one for each table inside it.

    A table in a list is called by its first value, a surface by its short name: `surface E5@2`.
    """
    if not isinstance(value, Mapping):
        yield f"{subject}: {text(value)}"
        return
    inner = {key: item for key, item in value.items() if is_nested(item)}
    plain = [f"{key} {text(item)}" for key, item in value.items() if key not in inner]
    if plain:
        yield f"{subject}: {', '.join(plain)}"
    for key, item in inner.items():
        if isinstance(item, Mapping):
            yield from told(f"{subject} {key}", item)
        else:
            for row in item:
                first, *_ = row.items()
                yield from told(f"{subject} {key} {text(first[1])}", row)


def is_nested(value: Any) -> bool:
    """Whether a value holds tables that are no surface."""
    if isinstance(value, Mapping):
        return bool(value) and set(value) != {"tile", "level"}
    return isinstance(value, list | tuple) and any(map(is_nested, value))


def text(value: Any) -> str:
    """A short text of a plain value; numbers to six digits, surfaces as `E5@2`."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return f"{value['tile']}@{value['level']}" if value else "[]"
    if isinstance(value, list | tuple):
        return f"[{' '.join(map(text, value))}]"
    if isinstance(value, set | frozenset):
        return text(sorted(map(str, value)))
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return str(value) or "-"


def refusal(error: Exception) -> str:
    """The codes of a refusal and where it points."""
    issues = error.issues if isinstance(error, ff.ForgeError) else ()
    return " ".join(map(issue_line, issues)) or type(error).__name__


def issue_line(issue: ff.Issue) -> str:
    """Code, severity, line and tiles of an issue."""
    line = [f"line {issue.span.line}"] if issue.span else []
    return " ".join((issue.code, issue.severity, *line, *map(str, issue.tiles)))


def asked(question: Callable[..., Any], *args: Any, **wish: Any) -> Any:
    """The JSON of an answer, or the codes of a refusal."""
    try:
        found = question(*args, **wish)
    except (ff.ForgeError, ValueError) as error:
        return f"refused {refusal(error)}"
    return found.json() if hasattr(found, "json") else found
