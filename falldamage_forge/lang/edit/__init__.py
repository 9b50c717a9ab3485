"""Gestures on a board as the smallest edits of the text that says it."""

from falldamage_forge.lang.edit.answers import Answer, Edited, Judge, Question, Refused
from falldamage_forge.lang.edit.direct import Rename, Stamp, Symmetrise, Unsymmetrise
from falldamage_forge.lang.edit.engine import edit
from falldamage_forge.lang.edit.fit import CarryFitting, Clear, Gesture, PutFitting
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
from falldamage_forge.lang.edit.places import as_table, spans_of, tiles_at
from falldamage_forge.lang.edit.text import TextEdit, applied
from falldamage_forge.lang.edit.words import USAGE, gesture_of

__all__ = [
    "USAGE",
    "Answer",
    "CarryChest",
    "CarryFitting",
    "Clear",
    "Edited",
    "Erase",
    "Gesture",
    "Judge",
    "LayBridge",
    "LeanLadder",
    "Paint",
    "PutBattlement",
    "PutChest",
    "PutFeature",
    "PutFitting",
    "Question",
    "Raise",
    "Refused",
    "Rename",
    "SetStart",
    "Stamp",
    "Symmetrise",
    "TextEdit",
    "Transfer",
    "Unsymmetrise",
    "applied",
    "as_table",
    "edit",
    "gesture_of",
    "spans_of",
    "tiles_at",
]
