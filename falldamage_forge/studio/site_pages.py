"""Pages around the static studio: first page, web app manifest, icons, and the offline copy."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from falldamage_forge import presets
from falldamage_forge.infra.artifacts import Artifact, json_bytes
from falldamage_forge.infra.version import FORGE_VERSION
from falldamage_forge.infra.visible_text import escape
from falldamage_forge.studio.public_address import STUDIO, canonical_link

NAME = "FallDamage Forge"
SUMMARY = "Design, check, play and print tables for Fall Damage in your browser."
GROUND, INK = "#e2ddd4", "#29241e"
ICON_SIZES_PX = (192, 512)
_TOWERS = ((0, 0, 3, "#8d8474"), (1, 0, 2, "#a39988"), (0, 1, 2, "#a39988"), (1, 1, 1, "#6f9a5b"))
"""Columns of the icon: tile east and north, levels, colour."""
_MESHES = frozenset({"mesh", "stl"})
"""Folders whose files a page loads one by one as a map needs them."""


def first_page(
    template: str, address: str | None, docs: str | None, figures: Mapping[str, Any]
) -> bytes:
    """Return the page for players: what it is, the preset maps, and the ways in.

    Args:
        template: The page with marks for its variable parts.
        address: Public address of the site, with a final slash; None if unknown.
        docs: Address of the documentation; None for no link.
        figures: Figures of preset maps by name.
    """
    parts = {
        "head": head(address),
        "maps": "\n".join(_cards(figures)),
        "docs": f'<a href="{escape(docs)}" data-t="homeDocs"></a>' if docs else "",
        "version": FORGE_VERSION,
    }
    for mark, text in parts.items():
        template = template.replace(f"<!-- {mark} -->", text)
    return template.encode()


def head(address: str | None, page: str = "") -> str:
    """Return the lines of a page's head that browsers and link previews read.

    Args:
        address: Public address of the site, with a final slash; None if unknown.
        page: File name of the page; empty for the first one.
    """
    lines = [
        '<link rel="manifest" href="app.webmanifest">',
        '<link rel="apple-touch-icon" href="icon-192.png">',
        f'<meta name="theme-color" content="{GROUND}">',
        f'<meta name="description" content="{SUMMARY}">',
    ]
    if address:
        lines += [
            canonical_link(address + page),
            f'<meta property="og:title" content="{NAME}">',
            f'<meta property="og:description" content="{SUMMARY}">',
            f'<meta property="og:url" content="{escape(address + page)}">',
            f'<meta property="og:image" content="{escape(address)}icon-512.png">',
        ]
    return "\n".join(lines)


def share_link(address: str, text: str) -> str:
    """Return an address that opens a map in the studio; the map lies in the fragment.

    Args:
        address: Public address of the site with a final slash, or empty for a relative link.
        text: Source of the map.
    """
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = squeeze.compress(text.encode()) + squeeze.flush()
    word = base64.urlsafe_b64encode(data).decode().rstrip("=")
    return f"{address}{STUDIO}#map={word}"


def _cards(figures: Mapping[str, Any]) -> Iterator[str]:
    from falldamage_forge.studio.gallery_figures import preset_card

    for name in presets.names("maps"):
        card, text = preset_card(name), presets.path("maps", name).read_text(encoding="utf-8")
        known, name_of = figures.get(name, {}), '<span data-t="homeRisk"></span>'
        hours = f" · {known['hours']} h" if known else ""
        risk = "".join(
            f'<span lang="{language}">{escape(text)}</span>'
            for language, text in known.get("difficulty", {}).items()
        )
        yield (
            f'<li><a href="{share_link("", text)}">'
            f'<img src="maps/{name}.svg" alt="" loading="lazy">'
            f"<strong>{escape(card['title'])}</strong> "
            f"<small>{card['rows']} x {card['cols']}, "
            f'<span>{card["pieces"]}</span> <span data-t="homeParts"></span>{hours} · '
            f"{escape(card['game'])}</small>"
            f"{risk and f'<small>{name_of}: {risk}</small>'}</a></li>"
        )


def web_app() -> Artifact:
    """Return the web app manifest (W3C), which lets a browser install the site."""
    icons = [
        {"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png",
         "purpose": purpose}
        for size in ICON_SIZES_PX for purpose in ("any", "maskable")
    ]  # fmt: skip
    about = {
        "name": NAME, "short_name": "Forge", "description": SUMMARY, "lang": "en",
        "start_url": STUDIO, "scope": "./", "display": "standalone",
        "background_color": GROUND, "theme_color": GROUND, "icons": icons,
    }  # fmt: skip
    return Artifact("app.webmanifest", json_bytes(about))


def icons() -> Iterator[Artifact]:
    """Yield the app's icons: four columns of a table, photographed."""
    import numpy as np
    from trimesh.creation import box

    from falldamage_forge.render.raster3d.renderer import ColoredMesh, photograph

    bodies = []
    for east, north, levels, colour in _TOWERS:
        column = box(bounds=((east, north, 0), (east + 0.97, north + 0.97, levels)))
        triangles = np.asarray(column.triangles * 30.0, dtype=np.float32)
        bodies.append(ColoredMesh(triangles, colour))
    for size in ICON_SIZES_PX:
        yield Artifact(f"icon-{size}.png", photograph(bodies, size, size))


def offline_copy(program: str, files: Iterable[Artifact], style: str) -> Artifact:
    """Return the service worker that keeps one version of the site in the browser.

    Each file is known by its SHA-256, so files of two versions never meet in a page. The browser
    stores all that the first style needs; meshes of other styles when a page first asks for them.

    Args:
        program: The worker, with a mark for its table of files.
        files: Every other file of the site.
        style: The first style.
    """
    digests = {file.path: file.sha256 for file in files}
    table = {
        "version": hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()[:16],
        "files": digests,
        "first": [path for path in digests if not _later(path, style)],
    }
    mark = "/* site */ null"
    assert program.count(mark) == 1
    return Artifact("service-worker.js", program.replace(mark, json.dumps(table)).encode())


def _later(path: str, style: str) -> bool:
    parts = Path(path).parts
    return parts[0] in _MESHES and parts[1] != style
