"""Edit synthesis: gestures on a board as the smallest text edits of its source."""

from falldamage_forge.lang.edit.edit_result import (
    AmbiguousEdit,
    Answer,
    EditRefused,
    EditResult,
    Judge,
)
from falldamage_forge.lang.edit.edit_synthesis import edit
from falldamage_forge.lang.edit.fitting_gestures import (
    Become,
    CarryFitting,
    ClearKind,
    EraseOne,
    Gesture,
    PutFitting,
    Replace,
)
from falldamage_forge.lang.edit.gesture_parser import USAGE, parse_gesture
from falldamage_forge.lang.edit.gestures import (
    CarryChest,
    Erase,
    LayBridge,
    LeanLadder,
    Paint,
    PutBattlement,
    PutChest,
    PutFeature,
    Raise,
    SetStart,
    Transfer,
)
from falldamage_forge.lang.edit.refactorings import Rename, StampEdit, Symmetrise, Unsymmetrise
from falldamage_forge.lang.edit.source_locations import as_table, spans_of, tiles_at
from falldamage_forge.lang.edit.text_edits import TextEdit, apply_edits

__all__ = [
    "USAGE",
    "AmbiguousEdit",
    "Answer",
    "Become",
    "CarryChest",
    "CarryFitting",
    "ClearKind",
    "EditRefused",
    "EditResult",
    "Erase",
    "EraseOne",
    "Gesture",
    "Judge",
    "LayBridge",
    "LeanLadder",
    "Paint",
    "PutBattlement",
    "PutChest",
    "PutFeature",
    "PutFitting",
    "Raise",
    "Rename",
    "Replace",
    "SetStart",
    "StampEdit",
    "Symmetrise",
    "TextEdit",
    "Transfer",
    "Unsymmetrise",
    "apply_edits",
    "as_table",
    "edit",
    "parse_gesture",
    "spans_of",
    "tiles_at",
]
