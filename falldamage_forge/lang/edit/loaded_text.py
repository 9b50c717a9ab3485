"""Source text under edit: any draft of it, parsed and expanded, with its index."""

from __future__ import annotations

from functools import cached_property

from falldamage_forge.elements.things import Things, things_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lang.edit.edit_result import EditResult
from falldamage_forge.lang.edit.source_index import SourceIndex, index_of
from falldamage_forge.lang.edit.symmetry_images import (
    SymmetryImage,
    generate_group,
    written_symmetries,
)
from falldamage_forge.lang.edit.text_edits import diff_edits, inverse_edits
from falldamage_forge.lang.expansion import Read
from falldamage_forge.lang.layout import LoadResult
from falldamage_forge.lang.lower import load


@dataclass(frozen=True)
class LoadedText:
    """A text that was loaded, with its index and the elements of its board."""

    text: str
    loaded: LoadResult

    @cached_property
    def index(self) -> SourceIndex:
        """Return the places of the board's elements in the text."""
        return index_of(self.loaded)

    @cached_property
    def things(self) -> Things:
        """Return the elements of the board."""
        return things_of(self.loaded.layout.board)

    @cached_property
    def written(self) -> tuple[SymmetryImage, ...]:
        """Return the images that the map's own `symmetry` makes of every statement."""
        return generate_group(written_symmetries(self.loaded.document, self.index.box))


@dataclass(frozen=True, slots=True)
class Editor:
    """A source text to edit.

    Attributes:
        text: Source text.
        file: Name of the file, for source spans.
        read: Function that reads imports, as for `load`.
    """

    text: str
    file: str
    read: Read | None = None

    def load(self, text: str) -> LoadedText:
        """Return another text in place of this one, loaded."""
        return LoadedText(text, load(text, self.file, self.read))

    def done(self, draft: LoadedText, label: str = "") -> EditResult:
        """Return the result for a new text.

        Args:
            draft: The new text, parsed and expanded.
            label: Label of the gesture.
        """
        edits = diff_edits(self.text, draft.text)
        undo = inverse_edits(self.text, edits)
        return EditResult(draft.text, edits, undo, draft.loaded, label)
