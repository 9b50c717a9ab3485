"""Faults to plant into maps, each with the lines that mend it, on tiles of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

import falldamage_forge as ff
from falldamage_forge.issues import Issue
from falldamage_forge.issues.code_tables import codes


@dataclass(frozen=True)
class Fault:
    """Faulty lines and their mended twins, as many of one as of the other."""

    name: str
    bad: tuple[str, ...]
    mended: tuple[str, ...]


Told = frozenset[tuple[str, int, str]]
"""Issues by code, line and message."""
HEAD = ("forge 1", "board 20x20", "define tower {", "  stack A1..B2 height 2", "}")
TAIL = ("start red at C1..J1", "start blue at C20..J20")


def told(text: str, least: str = "error") -> Told:
    """What `check` tells of a text."""
    issues = ff.check(ff.loads(text, "x.forge")).issues
    return frozenset(map(_key, every(issues, least)))


def every(issues: tuple[Issue, ...], least: str) -> list[Issue]:
    return [issue for issue in issues if issue.severity == "error" or least == "warning"]


def _key(issue: Issue) -> tuple[str, int, str]:
    return issue.code, issue.span.line if issue.span else 0, issue.message


def text_of(lines: tuple[str, ...], head: tuple[str, ...] = HEAD) -> str:
    return "\n".join((*head, *lines, *TAIL)) + "\n"


def _one(name: str, bad: str, mended: str) -> Fault:
    return Fault(name, tuple(bad.split("\n")), tuple(mended.split("\n")))


SLOTS = tuple((col, row) for row in (3, 9, 15) for col in "AHO")
"""Where faults have six tiles by five each to themselves."""


def tiles(slot: int) -> dict[str, str]:
    """Names of the tiles of a slot: `a1` to `e5`, and one of its own for what it defines."""
    col, row = SLOTS[slot]
    found = {
        f"{'abcdef'[x]}{y + 1}": f"{chr(ord(col) + x)}{row + y}" for x in range(6) for y in range(5)
    }
    return found | {"own": f"own{slot}"}


TEMPLATES: tuple[tuple[str, str, str], ...] = (
    # a line that cannot be read
    ("height misspelt", "stack {a1} hight 2", "stack {a1} height 2"),
    ("height forgotten", "stack {a1}..{c2}", "stack {a1}..{c2} height 1"),
    ("at forgotten", "tree {b2}", "tree at {b2}"),
    ("place without at", "place tower {b2}", "place tower at {b2}"),
    (
        "bridge with dots",
        "stack {a1}, {d1} height 1\nbridge {a1} .. {d1} level 1",
        "stack {a1}, {d1} height 1\nbridge {a1} -> {d1} level 1",
    ),
    ("rotate by 45", "place tower at {b2} rotate 45", "place tower at {b2} rotate 90"),
    ("height too large", "stack {a1} height 99999", "stack {a1} height 1"),
    ("title without quotes", "title Duel", 'title "Duel"'),
    ("title not closed", 'title "Duel', 'title "Duel"'),
    ("print pairs", "print {{ printer }}", "print {{ printer a1-mini }}"),
    ("control character", "tree at {b2}\x01", "tree at {b2}"),
    ("brace too many", "tree at {b2} }}", "tree at {b2}"),
    # a word that nobody knows
    ("stack misspelt", "stak {a1} height 2", "stack {a1} height 2"),
    ("tree misspelt", "tre at {b2}", "tree at {b2}"),
    ("another word", "boulder at {c3}", "tree at {c3}"),
    ("place misspelt", "plaec tower at {b2}", "place tower at {b2}"),
    ("print misspelt", "prnt {{ fit 0.15mm }}", "print {{ fit 0.15mm }}"),
    ("print key", "print {{ pritner a1-mini }}", "print {{ printer a1-mini }}"),
    ("expect misspelt", "expect conected", "expect connected"),
    ("expect count", "expect blok-1x1x1 <= 900", "expect block-1x1x1 <= 900"),
    ("inventory", "inventory {{ blokc-1x1x1 3 }}", "inventory {{ block-1x1x1 3 }}"),
    ("option", "rules fall-damage {{ headrom 2 }}", "rules fall-damage {{ headroom 2 }}"),
    # a piece that nobody defines
    ("piece misspelt", "place towr at {b2}", "place tower at {b2}"),
    ("piece unknown", "place gazebo at {b2}", "place tower at {b2}"),
    ("piece not imported", "place keep.tower at {b2}", "place tower at {b2}"),
    # faults within blocks
    (
        "define with a broken line",
        "define {own} {{\n  stak A1 height 2\n  ladder A2 -> A1\n}}\nplace {own} at {b2}",
        "define {own} {{\n  stack A1 height 2\n  ladder A2 -> A1\n}}\nplace {own} at {b2}",
    ),
    (
        "define misspelt",
        "defin {own} {{\n  stack A1 height 2\n}}\nplace {own} at {b2}",
        "define {own} {{\n  stack A1 height 2\n}}\nplace {own} at {b2}",
    ),
    (
        "define of two words",
        "define {own} big {{\n  stack A1 height 2\n}}\nplace {own} at {b2}",
        "define {own} {{\n  stack A1 height 2\n}}\nplace {own} at {b2}",
    ),
    (
        "glyph unknown",
        "define {own} {{\n  map {{\n  1 1Q\n  1 1\n  }}\n}}\nplace {own} at {b2}",
        "define {own} {{\n  map {{\n  1 1\n  1 1\n  }}\n}}\nplace {own} at {b2}",
    ),
    (
        "row too short",
        "define {own} {{\n  map {{\n  1 1 1\n  1 1\n  1 1 1\n  }}\n}}\nplace {own} at {b2}",
        "define {own} {{\n  map {{\n  1 1 1\n  1 1 1\n  1 1 1\n  }}\n}}\nplace {own} at {b2}",
    ),
    (
        "brace forgotten",
        "define {own} {{\n  stack A1 height 1\n\nplace {own} at {b2}",
        "define {own} {{\n  stack A1 height 1\n}}\nplace {own} at {b2}",
    ),
    (
        "legend without equals",
        "legend {{ K 1 }}\ndefine {own} {{\n  map {{\n  K\n  }}\n}}\nplace {own} at {b2}",
        "legend {{ K = 1 }}\ndefine {own} {{\n  map {{\n  K\n  }}\n}}\nplace {own} at {b2}",
    ),
    ("import missing", 'import "no.forge" as {own}\nplace {own}.tower at {b2}', "\n"),
    # terrain
    ("off the board", "tree at Z9", "tree at {b2}"),
    ("placed over the edge", "place tower at T20", "place tower at {b2}"),
    ("two levels", "stack {a1} height 1\nstack {a1} height 2", "stack {a1} height 1\n"),
    ("level too high", "stack {a1} height 13", "stack {a1} height 1"),
    ("spire on bare board", "spire at {b2}", "tree at {b2}"),
    ("ladder on nothing", "ladder {a1} -> {b1}", ""),
    ("ladder across", "ladder {a1} -> {c1}", ""),
    ("bridge on a diagonal", "bridge {a1} -> {c3} level 1", ""),
    ("bridge too long", "bridge {a1} -> {f1} level 0", ""),
    ("bridge without support", "stack {a1} height 1\nbridge {a1} -> {c1} level 1", "\n"),
    (
        "bridge into a tree",
        "stack {a1}, {c1} height 2\nbridge {a1} -> {c1} level 2\ntree at {b1}",
        "stack {a1}, {c1} height 1\nbridge {a1} -> {c1} level 1\n",
    ),
    ("battlement on bare board", "battlement at {b2}", ""),
    ("step in a tree", "tree at {b2}\nstep at {b2}", "tree at {b2}\n"),
    # setting up
    ("chest under a tree", "tree at {b2}\ntreasure at {b2}", "tree at {b2}\n"),
    ("chest in the air", "treasure at {b2}@3", "treasure at {b2}"),
)


def planted(slot: int, template: tuple[str, str, str]) -> Fault:
    """A fault on the tiles of a slot."""
    name, bad, mended = template
    places = tiles(slot)
    fault = _one(name, bad.format(**places), mended.format(**places))
    more = ("",) * (len(fault.bad) - len(fault.mended))
    return Fault(name, fault.bad, fault.mended + more)


BLOCKS_OF_MAPS = ("print", "inventory", "rules", "title")
"""What a map says once: two faults of one are not independent."""


def once(template: tuple[str, str, str]) -> str:
    """What the mended lines say that a map says once, or that is one place for all.

    A brace too many closes what lacks one.
    """
    words = template[2].split()
    if template[0] in ("brace forgotten", "brace too many"):
        return "brace"
    if template[0] in ("off the board", "placed over the edge"):
        return template[0]
    return words[0] if words and words[0] in BLOCKS_OF_MAPS else ""


def examples() -> dict[str, tuple[str, str]]:
    """The catalogue's examples, with their mended twins."""
    entries = codes().values()
    return {one.code: (one.example, one.corrected) for one in entries if one.example}


OF_THE_WHOLE = ("FDF005", "FDF009", "FDF105", "FDF108", "FDF150", "FDF206", "FDF207")
"""Codes that speak of a whole map: what else is wrong with it is another map's."""
LARGE = ("forge 1", "board 20x10")
STARTS = ("start red at B1..I1", "start blue at B10..I10")
WHOLE_LINES = re.compile(r"^\s*(board|symmetry|map|stack all|players)\b|\b(row|col|ring|all)\b")
TILE = re.compile(r"\b([A-J])(10|[1-9])\b")


def from_catalogue() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The lines of examples that stand beside another one, and their mended twins'."""
    found = {}
    for code, texts in examples().items():
        own = tuple(tuple(text.strip().splitlines()) for text in texts)
        apart = all(set(STARTS) < set(lines) and lines[0] == "forge 1" for lines in own)
        lines = [tuple(line for line in text[1:] if line not in STARTS) for text in own]
        whole = any(WHOLE_LINES.search(line) for text in lines for line in text)
        if apart and not whole and code not in OF_THE_WHOLE and code < "FDF300":
            longest = max(map(len, lines))
            bad, mended = (text + ("",) * (longest - len(text)) for text in lines)
            found[code] = bad, mended
    return found


def aside(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The same lines ten columns further east, with names of their own."""
    depth, found = 0, []
    for line in lines:
        moved = line if depth else TILE.sub(lambda m: chr(ord(m[1]) + 10) + m[2], line)
        depth += line.count("{") - line.count("}")
        found.append(re.sub(r"\b(define|place) (\w+)", r"\1 \2_east", moved))
    return tuple(found)


def heads(texts: tuple[tuple[str, ...], ...]) -> set[str]:
    """What the lines of some texts say that a map says once."""
    return {line.split()[0] for lines in texts for line in lines if line.split()[:1]} & {
        "title", "author", "license", "print", "rules", "units", "inventory", "legend",
    }  # fmt: skip
