"""Syntax highlighting: a Pygments lexer and a TextMate grammar from one table of patterns."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from falldamage_forge.lang.parser import KEYWORDS

WORDS = tuple(
    "at as height level except row col ring all rotate mirror raise swap x y "  # noqa: SIM905
    "arch like sides radius cover north east south west".split()
)
TILE = r"\b[A-Za-z]{1,2}[1-9][0-9]{0,2}(?:@[0-9]+)?(?![A-Za-z0-9_])"
STATEMENT = rf"(?:^|(?<=[{{}}]))[ \t]*(?:{'|'.join(KEYWORDS)})\b"
PATTERNS: tuple[tuple[str, str, Any], ...] = (
    (r"#.*$", "comment.line.number-sign.forge", Comment.Single),
    (r'"[^"\n]*"', "string.quoted.double.forge", String),
    (STATEMENT, "keyword.control.forge", Keyword),
    (TILE, "constant.other.tile.forge", Name.Constant),
    (rf"\b(?:{'|'.join(WORDS)})\b", "keyword.other.forge", Keyword.Pseudo),
    (r"\bFDF[0-9]{3}\b", "constant.language.forge", Name.Exception),
    (r"[+-]?\b[0-9]+(?:\.[0-9]+)?(?:x[0-9]+|mm|cm|in)?", "constant.numeric.forge", Number),
    (r"->|\.\.|<=|>=|[<>=]", "keyword.operator.forge", Operator),
    (r"[{},|]", "punctuation.forge", Punctuation),
)


class ForgeLexer(RegexLexer):  # type: ignore[misc]
    """Pygments lexer of the layout language."""

    name = "FallDamage Forge layout"
    aliases: ClassVar[list[str]] = ["forge"]
    filenames: ClassVar[list[str]] = ["*.forge"]
    url = "https://falldamage.fun"
    flags = 8  # re.MULTILINE
    tokens: ClassVar[dict[str, Any]] = {
        "root": [(pattern, token) for pattern, _, token in PATTERNS]
        + [(r"[A-Za-z_][\w-]*(?:\.[\w-]+)?", Name), (r"[ \t]+", Text), (r"\n", Text), (r".", Text)]
    }


def textmate_grammar() -> dict[str, Any]:
    """Return the TextMate grammar, as published in `docs/forge.tmLanguage.json`."""
    return {
        "name": "FallDamage Forge layout",
        "scopeName": "source.forge",
        "fileTypes": ["forge"],
        "patterns": [{"match": pattern, "name": scope} for pattern, scope, _ in PATTERNS],
    }
