"""Common mistakes: patterns of frequent errors from other languages, with the right spelling."""

from __future__ import annotations

import re

from falldamage_forge.board import WAYS
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.infra.lazy_dataclass import dataclass

TILE = r"[A-Za-z]{1,2}[1-9][0-9]{0,2}"
SPOT = rf"{TILE}(?:@[0-9]+)?"
MAX_HEAD = 200
"""Longest statement head, in characters, that is compared with the patterns."""
PUT = "|".join(x.word for x in ELEMENTS.values() if x.form == "put" and not x.wants_name)
SIDES = "|".join(WAYS)
SPANS = "|".join(x.word for x in ELEMENTS.values() if x.form == "span")


@dataclass(frozen=True, slots=True)
class MistakePattern:
    """A pattern of a statement's head and its hint, a template over the pattern's groups."""

    pattern: str
    hint: str


COMMON_MISTAKES = (
    MistakePattern(
        "(?P<head>[^\u00a0\u2007\u202f\u3000]+)[\u00a0\u2007\u202f\u3000].*",
        "after `{head}` stands a no-break space: write a plain one",
    ),
    MistakePattern(
        r"stack\s+(?P<area>.+?)\s+height\s+(?P<n>[1-9])\.[0-9]+",
        "levels are whole: write `stack {area} height {n}`, or a length such as `1/2in`",
    ),
    MistakePattern(
        r"stack\s+.+?\s+height\s+-[0-9.]+",
        "a height is a whole number of levels, such as `height 2`, or a length; none is below 0",
    ),
    MistakePattern(
        r"stack\s+.+?\s+height\s+(?:one|two|three|four|five|six|seven|eight|nine|ten)",
        "a height is written in digits, such as `height 2`",
    ),
    MistakePattern(r".*\s//.*", "a comment begins with `#`"),
    MistakePattern(
        "(?P<head>.*?)[“”„‘’«»](?P<text>[^“”„‘’«»]*)[“”„‘’«»]?.*",
        'write straight quotes: `{head} "{text}"`',
    ),
    MistakePattern(
        r".*(?<![A-Za-z0-9])(?P<col>[A-Za-z]{1,2})0+(?![A-Za-z0-9]).*",
        "rows are counted from 1: `{col}1`",
    ),
    MistakePattern(
        r"(?!board).*(?<![A-Za-z0-9])(?P<row>[1-9][0-9]?)(?P<col>[A-Za-z])(?![A-Za-z0-9]).*",
        "a tile is its column, then its row: `{col}{row}`",
    ),
    MistakePattern(
        rf".+?\s(?:(?:{PUT})\s+at|stack|{SPANS}|start\s+\S+\s+at|place\s+\S+\s+at)\s.+",
        "one statement stands on a line",
    ),
    MistakePattern(
        rf"bridge\s+(?P<a>{SPOT})\s*->\s*(?P<b>{SPOT})",
        "a bridge has a level: `bridge {a} -> {b} level N`",
    ),
    MistakePattern(
        rf"(?P<word>{SPANS})\s+(?:at\s+)?(?P<a>{SPOT})\s*(?:-|=>|>|→|–|—|to|and|,|\.\.|\s)"
        rf"\s*(?P<b>{SPOT})\b(?P<rest>.*)",
        "write `{word} {a} -> {b}{rest}`",
    ),
    MistakePattern(
        rf"bridge\s+(?P<a>{SPOT})\s*->\s*(?P<b>{SPOT})\s+(?:height|at|on|lvl)?\s*(?P<n>[0-9]+)",
        "write `bridge {a} -> {b} level {n}`",
    ),
    MistakePattern(
        rf"(?P<word>{SPANS})\s+at\s+(?P<a>{SPOT}).*", "write `{word} {a} -> …`, without `at`"
    ),
    MistakePattern(
        r"stack\s+at\s+(?P<area>.+?)(?P<rest>\s+height\s.*)?",
        "write `stack {area}{rest}`, without `at`",
    ),
    MistakePattern(
        rf".*?(?P<a>{TILE})\s*(?:-|to|:|–|—|\.|\.\.\.|…)\s*(?P<b>{TILE})\b.*",
        "write `{a}..{b}` for the rectangle between two corners",
    ),
    MistakePattern(
        rf"(?P<head>(?:{PUT})\s+at\s+.+?)\s+(?P<ways>(?:{SIDES})\b.*)",
        "write `{head} sides {ways}`",
    ),
    MistakePattern(
        rf".*?(?P<a>{TILE})\s*(?:;|&|\+|and\s|\s)\s*(?P<b>{TILE})\b.*",
        "write `{a}, {b}` for both tiles, or `{a}..{b}` for the rectangle between them",
    ),
    MistakePattern(
        r"stack\s+(?P<area>.+?)\s+(?:(?:height|level|high|h|to)\s*[=:]?\s*)?(?P<n>[0-9]+)",
        "write `stack {area} height {n}`",
    ),
    MistakePattern(
        r"stack\s+(?P<area>(?:(?!height)[^@])+?)", "write for example `stack {area} height 2`"
    ),
    MistakePattern(
        rf"(?P<word>{PUT})\s+(?:on|in|@|=)?\s*(?P<area>(?:{TILE}|row|col|ring|all)\b.*)",
        "write `{word} at {area}`",
    ),
    MistakePattern(
        rf"start\s+at\s+(?P<area>{TILE}.*)",
        "write `start red at {area}`: a side has a name",
    ),
    MistakePattern(
        rf"start\s+(?P<side>[A-Za-z]\S*)\s+(?P<area>(?:{TILE}|row|col|ring)\b.*)",
        "write `start {side} at {area}`",
    ),
    MistakePattern(
        r"board\s+(?P<c>[0-9]+)\s*(?:x|X|×|\*|by|,|\s)\s*(?P<r>[0-9]+)", "write `board {c}x{r}`"
    ),
    MistakePattern(r"board\s+(?P<n>[0-9]+)", "write `board {n}x{n}`: columns, then rows"),
    MistakePattern(r"(?P<word>title|author|license)\s+(?P<text>[^\"]+)", 'write `{word} "{text}"`'),
    MistakePattern(r"forge\s+[vV]?(?P<n>[0-9]+)(?:\.[0-9.]+)?", "write `forge {n}`"),
    MistakePattern(
        rf"place\s+(?P<name>(?!at\b)\S+)\s+(?:on\s+|in\s+)?(?P<tile>{TILE})\b(?P<rest>.*)",
        "write `place {name} at {tile}{rest}`",
    ),
    MistakePattern(
        r"(?P<head>place\s.*?\s)raise(?:d)?\s+(?:by\s+)?(?P<n>[0-9]+)\b.*",
        "write `raise +{n}`, with its sign",
    ),
    MistakePattern(
        r".*\brotate\s+(?P<n>-?[0-9]+)\s*(?:°|deg\w*)", "write `rotate {n}`, without a unit"
    ),
    MistakePattern(
        r".*\bmirror\s+(?:h\w*|lr|left\S*|west\S*|cols?|columns)\b.*",
        "write `mirror x`: it swaps west and east",
    ),
    MistakePattern(
        r".*\bmirror\s+(?:v\w*|ud|up\S*|north\S*|rows?)\b.*",
        "write `mirror y`: it swaps north and south",
    ),
    MistakePattern(
        r"symmetry\s+(?P<n>90|180|270)\b(?P<rest>.*)",
        "write `symmetry rotate {n}{rest}`",
    ),
    MistakePattern(
        r"symmetry\s+(?P<axis>[xy])\b(?P<rest>.*)", "write `symmetry mirror {axis}{rest}`"
    ),
    MistakePattern(
        r".*\bswap\s+(?P<a>[A-Za-z]\S*?)\s*(?:,|/|and|with|->|<->)\s*(?P<b>[A-Za-z]\S*)",
        "write `swap {a} {b}`",
    ),
    MistakePattern(r".*\bswap(?:\s+\S+)?", "name both sides: `swap red blue`"),
    MistakePattern(r"rules", "name the game: `rules fall-damage {{ … }}`"),
    MistakePattern(
        r"rules\s+(?P<name>[a-z][a-z-]*)\s+(?P<rest>\S+\s+.+)", "write `rules {name} {{ {rest} }}`"
    ),
    MistakePattern(
        r"(?P<word>print|inventory|extras)\s+(?P<rest>.+)", "write `{word} {{ {rest} }}`"
    ),
    MistakePattern(
        r"import\s+(?P<file>[^\s\"]+)\s+as\s+(?P<name>\S+)", 'write `import "{file}" as {name}`'
    ),
    MistakePattern(
        r"import\s+(?P<file>\"[^\"]+\")\s*(?P<name>[A-Za-z]\S*)?",
        "write `import {file} as towers`: a name for what it defines",
    ),
    MistakePattern(
        r"allow\s+(?P<code>FDF[0-9]{3})", 'write why: `allow {code} "the moat is a trap"`'
    ),
    MistakePattern(
        r"allow\s+(?:fdf|Fdf|#)?(?P<n>[0-9]{3})\b(?P<rest>.*)",
        "a code begins with FDF: `allow FDF{n}{rest}`",
    ),
    MistakePattern(
        r"(?P<word>define)\s+(?P<name>\".*\"|'.*')", "a piece's name stands without quotes"
    ),
)


def mistake_hint(head: str) -> str | None:
    """Return how the statement of a common mistake is written; None if no pattern matches."""
    for entry in COMMON_MISTAKES if len(head) <= MAX_HEAD else ():
        match = re.fullmatch(entry.pattern, head)
        if match:
            return entry.hint.format(
                **{k: (v or "").rstrip() for k, v in match.groupdict().items()}
            )
    return None


OTHER_WORDS = {
    **{word: " ".join(element.synonyms) for word, element in ELEMENTS.items()},
    "define": "def module macro piece function",
    "place": "put stamp",
    "import": "include use require from",
    "symmetry": "symmetric",
    "rules": "game ruleset",
    "board": "size grid",
    "title": "name",
}
"""Common names of a statement, by its keyword."""


def unknown_word_hint(head: str) -> str | None:
    """Return the hint for a line that begins with an unknown word; None if there is none."""
    first = head.split(None, 1)[0].lower()
    meant = next((word for word, others in OTHER_WORDS.items() if first in others.split()), None)
    if meant:
        return f"did you mean `{meant}`?"
    if re.match(r"//|--|;|%|/\*|'", head):
        return "a comment begins with `#`"
    if re.match(r"[0-9]+\s*\||\|", head):
        return "rows of a map stand between `map {` and `}`"
    if re.fullmatch(r"(?:[0-9]+[T^!~$]?|[._T^!~$])(?:\s+(?:[0-9]*[T^!~$]|[0-9]+|[._]))+", head):
        return "rows of a map stand between `map {` and `}`"
    bare = re.match(r"[A-Za-z]+", head)
    if bare and re.match(r"[A-Za-z]+[:=]", head):
        return f"write `{bare[0].lower()}` and a blank"
    return None
