"""The session inside the page itself: no server, no file; a worker runs it step by step.

`page/site/worker.js` calls these, in two workers: `Quick` answers hands, `Slow` does what takes
longer. Everything that goes in and out is JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.template import TEMPLATE
from falldamage_forge.studio import session as stages
from falldamage_forge.studio.answers import CHANGES, answer, greeting, settings_told
from falldamage_forge.studio.parts import parts
from falldamage_forge.studio.protocol import BadMessage, message, read_message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.settings import Settings

if TYPE_CHECKING:
    from falldamage_forge.bundle import Built
    from falldamage_forge.pieces.model import Piece
    from falldamage_forge.printing.plates import Plate

NAME = "map.forge"
SHEETS = "build.html"
LIFE = "page"
"""A worker lives as long as its page."""


def _text(told: dict[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False)


def _baked_style() -> str:
    """The usual look, or else the first that there is."""
    usual, there = Settings().style, presets.names("styles")
    return usual if usual in there else there[0]


def _address(style: str, piece: Piece) -> str | None:
    known = presets.baked_sizes(style)
    return f"mesh/{style}/{piece.key}" if known and piece.key in known else None


class Quick:
    """Hears what the page says and answers at once; what follows an edit comes stage by stage."""

    def __init__(self, text: str | None = None) -> None:
        """Begin with a text that was kept, or with the beginner's map."""
        self.blank = text is None
        begun = TEMPLATE.format(title="A new table") if text is None else text
        self.session = Session(begun, NAME, settings=Settings(style=_baked_style()))
        self.changed = True
        self._heard = {"heard": 0, "stale": False}

    def greet(self) -> list[str]:
        """What a page must know first."""
        return [_text(greeting()), self._state(), _text(settings_told(self.session))]

    def _state(self) -> str:
        kept = {"life": LIFE, "file": None, "home": None, "saved": True, "kept": True, "outside": 0}
        blank = self.blank and not self.session.revision
        return _text({**self.session.state(), **kept, "blank": blank, **self._heard})

    def hear(self, data: str) -> list[str]:
        """The answers to a message; `changed` tells whether there is more to `follow`."""
        self.changed = False
        try:
            said = read_message(data)
            self._heard = {"heard": said.get("number", self._heard["heard"]), "stale": False}
            if said["type"] == "set" and said["values"].get("variants", 1) != 1:
                raise BadMessage("this page has one look of each piece; `fdforge studio` has more")
            reply = answer(self.session, said)
            self._heard["stale"] = reply.stale
        except BadMessage as error:
            return [_text(error.told())]
        except Exception as error:
            # Whatever goes wrong with one question, the text and the next one are served.
            return [
                _text(message("error", message=f"{type(error).__name__}: {error}")),
                self._state(),
            ]
        before, self.session = self.session, reply.session
        told = [_text(one) for one in reply.told]
        same = before.settings == self.session.settings
        self.changed = not same or self.session.revision != before.revision
        if said["type"] in CHANGES:
            told.append(self._state() if same else _text(settings_told(self.session)))
        return told

    def follow(self) -> Iterator[str]:
        """What the present text means, the soonest first."""
        session = self.session
        for stage in ("board", "verdict"):
            yield _text(stages.STAGES[stage](session))
        yield _text(parts(session, lambda piece: _address(session.settings.style, piece)))


class Slow:
    """Works on one wish at a time; the newest is the one that counts."""

    def __init__(self, text: str | None = None) -> None:
        """Knows nothing until it hears."""
        self.changed = False
        self._wish: dict[str, Any] = {}

    def greet(self) -> list[str]:
        """Nothing to tell."""
        return []

    def hear(self, data: str) -> list[str]:
        """A wish: `kind` (stages, or a download's), `text`, `revision`, `settings`."""
        self._wish, self.changed = json.loads(data), True
        return []

    def follow(self) -> Iterator[str]:
        """Measures and pieces, or the files of a build."""
        wish = self._wish
        session = replace(
            Session(wish["text"], NAME, settings=Settings(**wish["settings"])),
            revision=wish["revision"],
        )
        try:
            if wish["kind"] != "stages":
                yield from _files(session, wish["kind"])
                return
            for stage in stages.LATE:
                yield _text(stages.STAGES[stage](session))
        except ForgeError as error:
            why = "; ".join(issue.message for issue in error.issues[:5])
            yield _text(message("error", message=why, of=wish["kind"]))


def _files(session: Session, kind: str) -> Iterator[str]:
    """What a build writes, without meshes: texts, and which mesh becomes which file.

    A download of `sheets` is their page alone.
    """
    from falldamage_forge.build_files import about_plan, plate_table
    from falldamage_forge.export.lists import csv_bytes, list_json
    from falldamage_forge.export.order import order_csv, piece_file

    yield _text(message("progress", of=kind, what="dividing columns into blocks", share=0.1))
    built = stages.built_of(session)
    build, rows = built.build, built.rows
    yield _text(message("progress", of=kind, what="writing the build sheets", share=0.2))
    texts = {SHEETS: _sheets(built)}
    meshes, plates = [], []
    if kind == "zip":
        price = build.options.price
        listed = list_json(rows, plate_table(build), price, **about_plan(build))
        texts |= {
            NAME: session.text,
            "README.txt": _about(built),
            "pieces.csv": csv_bytes(rows, price).decode(),
            "pieces.json": listed.decode(),
            "order.csv": order_csv(rows, build.sizes).decode(),
        }
        own = f"stl/{session.settings.style}/"
        meshes = [[piece_file(r), own + r.piece, r.piece] for r in rows if r.quantity]
        plates = [_plate(plate, build.pieces) for plate in build.plates]
    told = {"texts": sorted(texts.items()), "meshes": meshes, "plates": plates}
    yield _text(message("files", of=kind, **told))


def _plate(plate: Plate, pieces: Mapping[str, Piece]) -> dict[str, Any]:
    """A plate's 3MF without its meshes.

    `groups` are [name, colour], `objects` [key, number, group], `slots` [number, key, x and y in
    mm, counter-clockwise quarter turns].
    """
    from falldamage_forge.export.threemf import APPLICATION, object_numbers
    from falldamage_forge.render.palette import group_colour

    numbers = object_numbers([plate])
    groups = sorted({pieces[key].group for key in numbers})
    return {
        "name": plate.name,
        "application": APPLICATION,
        "groups": [[group, group_colour(group)] for group in groups],
        "objects": [[key, n, groups.index(pieces[key].group)] for key, n in numbers.items()],
        "slots": [[numbers[x.key], x.key, x.x_mm, x.y_mm, x.quarter_turns] for x in plate.slots],
    }


def _sheets(built: Built) -> str:
    from falldamage_forge.render.sheets import sheets
    from falldamage_forge.render.webpaper import WebPaper

    layout = built.checked.layout
    placements = built.build.plan.placements
    return sheets(layout.title or "A map", layout.board, placements, {}, kind=WebPaper).decode()


def _about(built: Built) -> str:
    """How to print what is in the zip, and what these files are made for."""
    printer, cover = built.printer, built.build.cover
    proved = "no other needs less" if cover and cover.proved else "another may need a little less"
    return (
        f"{built.checked.map.title}\r\n\r\n"
        "pieces/NAME_xN.stl: print each so many times as it lies there; units are millimetres.\r\n"
        "plates/NAME.3mf: the same parts where they lie on the bed, plate by plate.\r\n"
        f"{SHEETS}: open it in a browser and print it; it tells step by step what goes where.\r\n"
        "pieces.csv, pieces.json, order.csv: what there is of everything.\r\n"
        f"Columns are divided into blocks by a search of ours: {proved}.\r\n"
        f"Figures are estimates for {printer.title}. The files have the gaps this page was made "
        f"with; `fdforge build {NAME}` makes them for any printer, with plates and projects.\r\n"
    )
