"""Diagnostic codes explained: as a page of text, in the language of the reader."""

from __future__ import annotations

from falldamage_forge.issues.code_tables import DiagnosticCode, codes
from falldamage_forge.languages.translator import ENGLISH, spoken


def codes_in(language: str) -> dict[str, DiagnosticCode]:
    """Return all codes by name, sorted, with the texts that a language has for them."""
    return {code: one.spoken(language) for code, one in codes().items()}


def explain(code: str, language: str = ENGLISH) -> str | None:
    """Return the explanation of a code as plain text; None for an unknown code.

    Args:
        code: Code of an issue, in any case: `FDF101`.
        language: Language of the explanation: `en` or `de`.
    """
    entry = codes_in(language).get(code.upper())
    if entry is None:
        return None
    say = spoken(language)
    parts = [
        f"{entry.code}: {entry.title} ({say(entry.severity)})",
        entry.why,
        f"{say('Help')}: {entry.help}",
    ]
    if entry.example:
        parts += [say("For example, this raises it:"), _indent(entry.example)]
        parts += [say("and this does not:"), _indent(entry.corrected)]
    return "\n\n".join(parts)


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())
