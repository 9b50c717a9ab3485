"""Autosave: writes a session's text to its file or to a draft, and never over another change.

A change by another program is merged (`three_way_merge`); a conflict waits for the user's choice.
"""

from __future__ import annotations

import secrets

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError
from falldamage_forge.studio import draft_files
from falldamage_forge.studio.map_file import MapFile
from falldamage_forge.studio.session import TOGETHER, Session
from falldamage_forge.studio.three_way_merge import merge_texts

GONE = "the file was renamed or removed: the next change writes it anew"


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of a save.

    Attributes:
        session: The session afterwards.
        foreign: The file's text if it conflicts and waits for a choice, else None.
        came: `theirs` if the file's text was taken over, `both` if it was merged, else empty.
    """

    session: Session
    foreign: str | None = None
    came: str = ""


class Autosave:
    """File and draft of one session. Its methods wait for the disk and never raise."""

    def __init__(self, file: MapFile | None) -> None:
        self.file = file
        self.draft = own = draft_files.id_for(file.path if file else None)
        self.home = own if file else None
        """Identifies the file, so that a page knows which texts it stored are of this file."""
        before = draft_files.read_draft(own) if file else None
        self.left = file is not None and before is not None and before != file.text
        """True if an earlier session left unsaved changes of the file."""
        if self.left:
            self.draft = f"{own}-{secrets.token_hex(3)}"
        self.saved = True
        self.kept = True
        """True if the text is stored, in its file or as a draft."""
        self.why: str | None = None
        self.conflict: str | None = None

    def save(self, session: Session) -> SaveResult:
        """Save the session's text, merged with changes of other programs."""
        if self.file is None:
            self._note(session.text)
            self.saved = self.kept
            return SaveResult(session)
        if self.conflict is None:
            try:
                return self._saved(session)
            except (ForgeError, OSError) as error:
                self._failed(error)
        self.saved = False
        self._note(session.text)
        return SaveResult(session, self.conflict)

    def poll_file(self, session: Session) -> SaveResult:
        """Take over changes of the file by other programs, and retry a failed save."""
        if self.file is None or self.conflict is not None:
            return SaveResult(session, self.conflict)
        if self.file.gone:
            if self.saved:
                self.saved, self.why = False, GONE
                self._note(session.text)
            return SaveResult(session)
        if not self.saved:
            return self.save(session)
        try:
            theirs = self.file.foreign()
        except (ForgeError, OSError) as error:
            self._failed(error)
            return SaveResult(session)
        if theirs is None:
            return SaveResult(session)
        # Nothing of ours is lost: it was saved, and the text before is one undo away.
        self.file.accept()
        return SaveResult(session.with_text(theirs, "changed on disk"), came="theirs")

    def clash(self, theirs: str) -> bool:
        """Record a conflict with another text; beside a pending conflict it becomes a draft.

        Args:
            theirs: The other text.

        Returns:
            True if there is a new draft.
        """
        if self.file is None or theirs == self.conflict:
            return False
        if self.conflict is None:
            self.conflict = theirs
            return False
        draft_files.save_draft(draft_files.id_for(None), theirs)
        return True

    def resolve_conflict(self, session: Session, keep: str) -> SaveResult:
        """Resolve a conflict.

        Args:
            session: The session.
            keep: `mine` overwrites the file; `theirs` becomes an undoable step.
        """
        theirs, self.conflict = self.conflict, None
        if theirs is None or self.file is None:
            return SaveResult(session)
        self.file.accept()
        return self.save(
            session.with_text(theirs, "take what is on disk") if keep == "theirs" else session
        )

    def _saved(self, session: Session) -> SaveResult:
        """Save to the file; a change by another program is merged, or becomes the conflict."""
        assert self.file
        came = ""
        for _ in range(3):  # another hand may write again and again
            theirs = self.file.save(session.text)
            if theirs is None:
                self.saved, self.kept, self.why = True, True, None
                draft_files.delete_draft(self.draft)
                return SaveResult(session, came=came)
            both = merge_texts(self.file.text, session.text, theirs)
            if both is None:
                break
            self.file.accept()
            session = session.with_text(both, TOGETHER)
            came = "both"
        self.conflict = theirs
        self.saved = False
        self._note(session.text)
        return SaveResult(session, theirs, came)

    def _note(self, text: str) -> None:
        try:
            draft_files.save_draft(self.draft, text)
        except (ForgeError, OSError) as error:
            self.kept = False
            self._failed(error)
        else:
            self.kept = True
            if self.file is None:
                self.why = None

    def _failed(self, error: Exception) -> None:
        self.saved = False
        self.why = error.issues[0].message if isinstance(error, ForgeError) else str(error)

    def open_draft(self, session: Session, draft: str) -> Session:
        """Return the session with the text of a draft as one step; unchanged if there is none.

        Without a file the session continues the draft; with one the text goes into the file.

        Args:
            session: Session before.
            draft: Name of the draft.
        """
        text = draft_files.read_draft(draft)
        if text is None:
            return session
        if self.file is None:
            self.draft = draft
        return session.with_text(text, "go on with a draft")
