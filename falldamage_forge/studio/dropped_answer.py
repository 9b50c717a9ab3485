"""Answers to dropped files: a model, or the files that a dropped map names."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from falldamage_forge.infra.atomic_write import safe_name
from falldamage_forge.infra.process_pool import Gone
from falldamage_forge.issues import ForgeError
from falldamage_forge.languages.translator import ENGLISH, known_language, spoken
from falldamage_forge.models.triangles import MAX_BYTES
from falldamage_forge.studio.dropped_folder import read_files
from falldamage_forge.studio.model_drop import refusal
from falldamage_forge.studio.spoken_message import spoken_message

if TYPE_CHECKING:
    from starlette.requests import Request

    from falldamage_forge.studio.session_hub import SessionHub


async def dropped_answer(request: Request, hub: SessionHub) -> Response:
    """Answer dropped files, or why they are refused.

    A model at `name` is answered by its block; files that a map names, for `/beside`, by `{}`.

    Args:
        request: The request, whose token is known.
        hub: Session that takes the files.
    """
    language = known_language(request.headers.get("x-studio-language", ENGLISH))
    name = request.path_params.get("name")
    with tempfile.TemporaryDirectory(prefix="fdforge-drop-") as aside:
        path = Path(aside) / safe_name(name or "files")
        try:
            await _stored(request, path)
            if name is None:
                return await _kept(path, hub)
            found = (await hub.adopt(path)).table()
        except ForgeError as error:
            of = request.url.path.split("/")[1]
            return JSONResponse(spoken_message(refusal(error.issues, of), language))
        except (Gone, ClientDisconnect):
            return Response(status_code=503)
    say = spoken(language)
    return JSONResponse({**found, "notes": [say(one) for one in found["notes"]]})


async def _kept(path: Path, hub: SessionHub) -> Response:
    """Answer files, of a request's body, that come to lie beside the map."""
    try:
        files = await asyncio.to_thread(read_files, path.read_bytes())
    except (ValueError, TypeError):
        return Response(status_code=400)
    await hub.keep_beside(files)
    return JSONResponse({})


async def _stored(request: Request, path: Path) -> None:
    """Write the body of a request to a file, up to the size at which it is refused."""
    with path.open("wb") as file:
        async for part in request.stream():
            if file.tell() <= MAX_BYTES:
                file.write(part)
