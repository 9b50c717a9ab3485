"""Translator: says in another language what the package says in English.

English is the source: code and tables form English texts, and the outermost layer (command line,
studio) translates them. A language is one file `NAME.toml` beside this module; elements, codes and
tables of presets have their texts with them. `sentences` map English to the language; `{name}`
stands for any value, `{s}` for the ending of a plural. A value is translated in its turn, as a
sentence or a list, except between backticks, where it is the user's text. A text without an entry
stays English. Matching never goes back, so its time is linear; only sentences whose rarest word is
in the text are tried.
"""

from __future__ import annotations

import re
from collections import ChainMap, Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cache, lru_cache
from importlib import resources
from itertools import chain

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.presets_folder import said_in
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import ForgeError, Issue, did_you_mean, refuse
from falldamage_forge.issues.code_tables import sentences_of_codes

Say = Callable[[str], str]
"""Translates one text; `str` leaves it English."""
ENGLISH = "en"
PLURAL = "s"
VERBATIM = ("file", "path", "keys")
"""Values that the user named, and keys of presets and pieces: they stay."""
LEAST_LITERAL = 9
"""Characters around the values of a sentence; with fewer, values are single words, except one value
at the end, as in `known: {names}`.
"""
MOST_CACHED = 4096
_VALUE = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"\w+")
_HOLE = "__"
"""Stands for a value: a word that it touches is not whole."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        title: Its own name.
        sentences: Texts by their English; the values in braces have the same names.
        joints: Words that join values to a list, by their English, with blanks.
    """

    title: str
    sentences: dict[str, str] = field(default_factory=dict)
    joints: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence with values: the literal texts around them, and their names."""

    literals: tuple[str, ...]
    names: tuple[str, ...]
    translated: str

    @property
    def length(self) -> int:
        """Number of literal characters."""
        return sum(map(len, self.literals))

    @property
    def words(self) -> tuple[str, ...]:
        """Words that each text of this sentence has, whole."""
        found = _WORD.findall(_HOLE.join(self.literals))
        return tuple(word for word in found if _HOLE not in word)

    def values(self, text: str) -> tuple[str, ...] | None:
        """Return the values of a text that fits, in order; each ends where it can first end."""
        first, *middle, last = self.literals
        place, end = len(first), len(text) - len(last)
        if end < place or not (text.startswith(first) and text.endswith(last)):
            return None
        found = []
        for literal in middle:
            here = text.find(literal, place, end)
            if here < 0:
                return None
            found.append(text[place:here])
            place = here + len(literal)
        found.append(text[place:end])
        return tuple(found) if all(map(self._fits, self.names, found)) else None

    def _fits(self, name: str, value: str) -> bool:
        if name == PLURAL:
            return value in ("", PLURAL)
        ends_in_value = len(self.names) == 1 and not self.literals[1]
        one_word = " " not in value and not value.endswith((",", ";"))
        return ends_in_value or self.length >= LEAST_LITERAL or one_word


def patterns(language: Language) -> tuple[Pattern, ...]:
    """Return the sentences with values, those with the longest literal text first."""
    split = ((_VALUE.split(english), spoken) for english, spoken in language.sentences.items())
    found = [Pattern((*p[::2],), (*p[1::2],), spoken) for p, spoken in split if len(p) > 1]
    return tuple(sorted(found, key=lambda pattern: -pattern.length))


def by_rarest_word(known: Iterable[Pattern]) -> dict[str, list[tuple[int, Pattern]]]:
    """Return patterns with their places by the rarest of their words; `""` for those without."""
    numbered = [(place, pattern, pattern.words) for place, pattern in enumerate(known)]
    counts = Counter(word for *_, words in numbered for word in words)
    found = defaultdict(list)
    for place, pattern, words in numbered:
        found[min(words, key=counts.__getitem__, default="")].append((place, pattern))
    return found


def filled(sentence: str, values: Mapping[str, str]) -> str:
    """Return a sentence with its values.

    Args:
        sentence: Text with values in braces: `{file}: line {line}`.
        values: Text of each value by name.
    """
    return _VALUE.sub(lambda name: values[name[1]], sentence)


def translator(language: Language) -> Say:
    """Return the function that translates texts into a language."""
    known = by_rarest_word(patterns(language))
    joint = re.compile("|".join(f"({re.escape(word)})" for word in language.joints) or "(?!)")

    @lru_cache(MOST_CACHED)
    def say(text: str) -> str:
        if text in language.sentences:
            return language.sentences[text]
        likely = (known.get(word, ()) for word in {"", *_WORD.findall(text)})
        for _, pattern in sorted(chain.from_iterable(likely)):
            values = pattern.values(text)
            if values is not None:
                by_name = dict(zip(pattern.names, spoken_values(pattern, values), strict=True))
                return filled(pattern.translated, by_name)
        return text

    def spoken_values(pattern: Pattern, values: tuple[str, ...]) -> Iterator[str]:
        ticks = 0
        for literal, name, value in zip(pattern.literals, pattern.names, values, strict=False):
            ticks += literal.count("`")
            yield value if ticks % 2 or name in VERBATIM else spoken_value(value)

    def spoken_value(value: str) -> str:
        whole = say(value)
        if whole != value:
            return whole
        parts = (part for part in joint.split(value) if part)
        return "".join(language.joints.get(part) or say(part) for part in parts)

    return say


def language_names() -> tuple[str, ...]:
    """Return the names of the languages, English first."""
    files = sorted(file.name for file in resources.files(__package__).iterdir())
    return (ENGLISH, *(name[:-5] for name in files if name.endswith(".toml")))


def language_of(locale: str) -> str | None:
    """Return the language that a locale names, such as `de_DE.UTF-8`, `DE` or `de-AT`.

    Args:
        locale: Name of a language, or of a locale.

    Returns:
        None for a language without a file, and for the locales `C` and `POSIX`.
    """
    name = re.split(r"[-_.@]", locale, maxsplit=1)[0].lower()
    return name if name in language_names() else None


@cache
def read_language(name: str) -> Language:
    """Return a language; ForgeError (FDF293) for an unknown one."""
    if name == ENGLISH:
        return Language("English")
    names = language_names()
    if name not in names:
        hint = did_you_mean(name, names) or f"known: {', '.join(names)}"
        raise refuse("FDF293", f"no language called `{name}`", hint)
    file = f"{name}.toml"
    text = resources.files(__package__).joinpath(file).read_text("utf-8")
    language = read_table(Language, parse_toml(text, file), file)
    beside = ChainMap(
        language.sentences, _of_elements(name), sentences_of_codes(name), said_in(name)
    )
    return replace(language, sentences=dict(beside))


def _of_elements(name: str) -> dict[str, str]:
    """Return the texts that elements declare; none if a folder of elements cannot be read."""
    try:
        from falldamage_forge.elements import ELEMENTS
    except ForgeError:
        return {}
    texts = (element.texts.get(name, {}) for element in ELEMENTS.values())
    return {english: said for own in texts for english, said in own.items()}


def known_language(name: str) -> str:
    """Return the name of a language or of a locale's, or English if there is no such language."""
    return language_of(name) or ENGLISH


@cache
def spoken(name: str) -> Say:
    """Return the translator of a language by its name; ForgeError (FDF293) for an unknown one."""
    return str if name == ENGLISH else translator(read_language(name))


def spoken_issue(issue: Issue, say: Say) -> Issue:
    """Return an issue with its texts, those of its notes and of its followers translated.

    Args:
        issue: Issue in English.
        say: Translates each text.
    """
    return replace(
        issue,
        message=say(issue.message),
        hint=say(issue.hint) if issue.hint else issue.hint,
        notes=tuple(replace(note, message=say(note.message)) for note in issue.notes),
        followers=tuple(spoken_issue(follower, say) for follower in issue.followers),
    )
