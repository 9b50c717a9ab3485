"""Where a session's text is kept: its file, never over somebody else's change, or else a draft."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from falldamage_forge.issues import ForgeError
from falldamage_forge.studio import journal
from falldamage_forge.studio.file import MapFile
from falldamage_forge.studio.merge import merged
from falldamage_forge.studio.session import TOGETHER, Session

GONE = "the file was renamed or removed: the next change writes it anew"


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of keeping: the session afterwards, and what pages are to be told of the file.

    `foreign` is a text that another hand has put there and that waits for a choice; `came` tells
    that one was taken over (`theirs`) or brought together with ours (`both`).
    """

    session: Session
    foreign: str | None = None
    came: str = ""


class Keeper:
    """The file and the draft of one session. Its methods wait for the disk and never raise."""

    def __init__(self, file: MapFile | None) -> None:
        self.file = file
        self.draft = own = journal.id_for(file.path if file else None)
        self.home = own if file else None
        """What tells a page that texts it kept are of this file."""
        before = journal.text_of(own) if file else None
        self.left = file is not None and before is not None and before != file.text
        """Whether a session before left changes of the file that were never saved."""
        if self.left:
            self.draft = f"{own}-{secrets.token_hex(3)}"
        self.saved = True
        self.kept = True
        """Whether the text lies on a disk, in its file or as a draft."""
        self.why: str | None = None
        self.conflict: str | None = None

    def keep(self, session: Session) -> Kept:
        """Save a text, together with what another hand has changed meanwhile."""
        if self.file is None:
            self._note(session.text)
            self.saved = self.kept
            return Kept(session)
        if self.conflict is None:
            try:
                return self._saved(session)
            except (ForgeError, OSError) as error:
                self._failed(error)
        self.saved = False
        self._note(session.text)
        return Kept(session, self.conflict)

    def look(self, session: Session) -> Kept:
        """See whether another hand has written the file, and try again what could not be saved."""
        if self.file is None or self.conflict is not None:
            return Kept(session, self.conflict)
        if self.file.gone:
            if self.saved:
                self.saved, self.why = False, GONE
                self._note(session.text)
            return Kept(session)
        if not self.saved:
            return self.keep(session)
        try:
            theirs = self.file.foreign()
        except (ForgeError, OSError) as error:
            self._failed(error)
            return Kept(session)
        if theirs is None:
            return Kept(session)
        # Nothing of ours is lost: it was saved, and the text before is one undo away.
        self.file.accept()
        return Kept(session.wrote(theirs, "changed on disk"), came="theirs")

    def clash(self, theirs: str) -> None:
        """The file holds `theirs`, which could not be brought together with the session's text."""
        if self.file is not None and self.conflict is None:
            self.conflict = theirs

    def choose(self, session: Session, keep: str) -> Kept:
        """End a conflict: `mine` over theirs, or `theirs` as a step that can be undone."""
        theirs, self.conflict = self.conflict, None
        if theirs is None or self.file is None:
            return Kept(session)
        self.file.accept()
        return self.keep(
            session.wrote(theirs, "take what is on disk") if keep == "theirs" else session
        )

    def _saved(self, session: Session) -> Kept:
        """Save to the file; another's change is brought together, or becomes the conflict."""
        assert self.file
        came = ""
        for _ in range(3):  # another hand may write again and again
            theirs = self.file.save(session.text)
            if theirs is None:
                self.saved, self.kept, self.why = True, True, None
                journal.forget(self.draft)
                return Kept(session, came=came)
            both = merged(self.file.text, session.text, theirs)
            if both is None:
                break
            self.file.accept()
            session = session.wrote(both, TOGETHER)
            came = "both"
        self.conflict = theirs
        self.saved = False
        self._note(session.text)
        return Kept(session, theirs, came)

    def _note(self, text: str) -> None:
        try:
            journal.keep(self.draft, text)
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

    def opened(self, session: Session, draft: str) -> Session:
        """The session with the text of a draft, as one step; as it was where there is none.

        Without a file the draft is gone on with; with one its text comes into the file.
        """
        text = journal.text_of(draft)
        if text is None:
            return session
        if self.file is None:
            self.draft = draft
        return session.wrote(text, "go on with a draft")
