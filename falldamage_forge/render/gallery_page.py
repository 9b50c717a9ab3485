"""Gallery page: preset maps with pictures and facts, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from falldamage_forge.board import Board, Feature, Ground
from falldamage_forge.elements.scene import WORDS, scene
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.legend import size_words
from falldamage_forge.render.svg import png_small

HEAD = """# Gallery

All preset maps. `fdforge gallery` writes this page.
"""


@dataclass(frozen=True, slots=True)
class GalleryMap:
    """One map of the gallery: preset name, title, board and source."""

    name: str
    title: str
    board: Board
    source: str


def page(exhibits: Sequence[GalleryMap]) -> str:
    """Return the Markdown page; pictures are `pictures/<name>.png` beside it."""
    return HEAD + "".join(map(_entry, exhibits))


def picture(exhibit: GalleryMap) -> bytes:
    """Return the PNG of one map."""
    return png_small(isometric(exhibit.board, title=exhibit.title))


def _entry(exhibit: GalleryMap) -> str:
    name, title = exhibit.name, exhibit.title
    story = story_of(exhibit.source)
    return (
        f"\n## {title}\n\n![{title}, as it is printed](pictures/{name}.jpg)\n\n"
        + (f"{story}\n\n" if story else "")
        + f"{facts(exhibit.board)}\n\n"
        f"![{title}, drawn from the south-east](pictures/{name}.png)\n\n"
        f"```sh\nfdforge build {name}\n```\n"
    )


def story_of(source: str) -> str:
    """Return the first block of whole-line comments of a source: the author's text on the map."""
    lines: list[str] = []
    for line in source.splitlines():
        if line.startswith("#"):
            lines.append(line.removeprefix("#").strip())
        elif lines:
            break
    return " ".join(lines)


def facts(board: Board) -> str:
    """Return size, height and contents of a board as one sentence."""
    there = Counter(x.kind for x in scene(board))
    words = [_counted(word, there[word]) for word in COUNTED if there[word]]
    size = f"{size_words(board)} high"
    return f"{size}: {', '.join(words)}." if words else f"{size}."


COUNTED = (*WORDS.values(), *Ground, *Feature)
"""Elements that a page counts, in its order."""


def _counted(word: str, number: int) -> str:
    if word in tuple(Ground):
        return f"{number} tile{'s' * (number != 1)} of {word}"
    return f"{number} {word}{'s' * (number != 1)}"
