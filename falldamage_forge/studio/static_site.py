"""Static site of the studio: a folder for any static host, without installation or server."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.infra import presets_folder
from falldamage_forge.infra.artifacts import Artifact, json_bytes, manifest
from falldamage_forge.infra.version import FORGE_VERSION
from falldamage_forge.studio import site_pages
from falldamage_forge.studio.element_page import MODULE, elements_module, page_file
from falldamage_forge.studio.gallery_figures import preset_figures
from falldamage_forge.studio.precompile import LIBRARY, compile_bytecode
from falldamage_forge.studio.public_address import STUDIO
from falldamage_forge.studio.pyodide_runtime import VERSION, runtime

if TYPE_CHECKING:
    from falldamage_forge.printing.printer import Printer

Progress = Callable[[str], None]
Figures = Mapping[str, Any]
"""Figures of preset maps by name; a map without them has none in the gallery."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; img-src 'self' data: blob:; style-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
NONE: Figures = MappingProxyType({})
HEAD = '<meta charset="utf-8">'
_FOLDER = Path(__file__).with_name("page")
_WORKER = "service-worker.js"
LEFT_OUT = frozenset({"cli", "search", "page", "raster3d", "__pycache__"})
"""Folders of the package that a page does not use."""
LIBRARIES = ("lark", "segno")
"""Libraries of pure Python beside the package."""
PRESETS = (
    "maps", "tables", "parts", "pieces", "play", "printers", "processes", "rulesets", "units",
)  # fmt: skip
SUFFIXES = frozenset({".py", ".lark", ".toml"})
NOTICES = f"""\
This folder holds, beside FallDamage Forge {FORGE_VERSION} (MIT):
pyodide {VERSION} in pyodide/, Mozilla Public License 2.0; its source:
https://github.com/pyodide/pyodide
Its python_stdlib.zip may hold modules that were compiled from the ones it came with.
lark (MIT) and segno (BSD) in the Python archive, each with its licence.
"""


def build_site(
    styles: Iterable[str],
    printer: Printer,
    progress: Progress = lambda _: None,
    archive: Path | None = None,
    only: Collection[str] | None = None,
    address: str | None = None,
    docs: str | None = None,
) -> tuple[Artifact, ...]:
    """Return every file of the site, the manifest last; the same input gives the same bytes.

    Args:
        styles: Styles whose meshes are included.
        printer: The printer whose clearances the meshes have.
        progress: Receives the current step.
        archive: The npm package of Pyodide; None fetches it.
        only: Keys of the pieces to include; None for all.
        address: Public address of the site with its final slash; None if unknown.
        docs: Address of the documentation, for a link on the first page; None for no link.

    Raises:
        ForgeError: FDF293 for an unknown style, FDF294 if Pyodide cannot be had.
    """
    styles = tuple(dict.fromkeys(styles))
    for style in styles:
        presets.load_style(style)
    progress(f"pyodide {VERSION}")
    pyodide = runtime(archive)
    files: list[Artifact] = []
    sizes: dict[str, bytes] = {}
    for style in styles:
        progress(f"baking the pieces in {style}")
        baked, sizes[style] = _baked(style, printer, only)
        files += baked
    progress("drawing the maps")
    figures = {name: preset_figures(name) for name in presets.names("maps") if only is None}
    files += _pictures(figures)
    python = _python(styles, sizes)
    progress("compiling the Python")
    if (made := compile_bytecode(pyodide, python)) is not None:
        pyodide[LIBRARY], python = made
    name = f"python-{hashlib.sha256(python).hexdigest()[:16]}.zip"
    about = {"python": name, "forge": FORGE_VERSION, "pyodide": VERSION, "styles": styles}
    files += [
        *(Artifact(f"pyodide/{name}", data) for name, data in pyodide.items()),
        *_page(address, docs, figures),
        site_pages.web_app(),
        *site_pages.icons(),
        Artifact(name, python),
        Artifact("site.json", json_bytes({**about, "printer": printer.name})),
        Artifact("notices.txt", NOTICES.encode()),
    ]
    program = (_FOLDER / "site" / _WORKER).read_text(encoding="utf-8")
    files.append(site_pages.offline_copy(program, files, styles[0]))
    return (*files, manifest(files, about))


def _page(address: str | None, docs: str | None, figures: Figures = NONE) -> Iterator[Artifact]:
    """Yield the first page and the studio's page, each with its security policy."""
    policy = f'{HEAD}\n<meta http-equiv="content-security-policy" content="{POLICY}">'
    for name, path in sorted({**_files(_FOLDER), **_files(_FOLDER / "site")}.items()):
        data = path.read_bytes()
        if name == "home.html":
            page = data.decode().replace(HEAD, policy)
            yield Artifact("index.html", site_pages.first_page(page, address, docs, figures))
        elif name == "index.html":
            more = site_pages.head(address, STUDIO)
            page = data.decode().replace(HEAD, f"{policy}\n{more}")
            page = page.replace('<html lang="en"', '<html lang="en" data-site', 1)
            yield Artifact(STUDIO, page.encode())
        elif name != _WORKER:
            yield Artifact(name, page_file(name, data))
    yield Artifact(MODULE, elements_module())


def _files(folder: Path) -> dict[str, Path]:
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_file()}


def _pictures(figures: Figures = NONE) -> Iterator[Artifact]:
    from falldamage_forge.studio.gallery_figures import outlines, picture, preset_card

    yield Artifact("figures.json", json_bytes(outlines()))
    for name in presets.names("maps"):
        yield Artifact(f"maps/{name}.svg", picture(name).encode())
        yield Artifact(f"maps/{name}.json", json.dumps(preset_card(name)).encode())
        yield Artifact(f"figures/{name}.json", json.dumps(figures.get(name)).encode())


def _baked(
    style: str, printer: Printer, only: Collection[str] | None
) -> tuple[list[Artifact], bytes]:
    """Return viewer and print meshes of a style's pieces, and the table of their sizes."""
    from falldamage_forge.export.mesh_codec import encode_mesh
    from falldamage_forge.geometry.part_size import size_of
    from falldamage_forge.geometry.piece_mesh import as_printed, build
    from falldamage_forge.render.baked_meshes import bake_piece

    look = presets.load_style(style)
    files, sizes = [], {}
    for key, piece in sorted(presets.load_catalogue().every.items()):
        if only is not None and key not in only:
            continue
        mesh = as_printed(piece, build(piece, printer, look))
        sizes[key] = size_of(mesh).row()
        files.append(Artifact(f"mesh/{style}/{key}", bake_piece(piece, printer, look)))
        files.append(Artifact(f"stl/{style}/{key}", encode_mesh(mesh)))
    return files, json.dumps(sizes).encode()


def _python(styles: Iterable[str], sizes: dict[str, bytes]) -> bytes:
    """Return our package without its entry points, its presets, and the libraries as a zip."""
    package = Path(__file__).resolve().parents[1]
    found: dict[str, bytes] = {}
    for path in sorted(package.rglob("*")):
        inner = path.relative_to(package)
        if path.suffix in SUFFIXES and not LEFT_OUT & set(inner.parts[:-1]):
            found[f"{package.name}/{inner.as_posix()}"] = path.read_bytes()
    data = f"{package.name}/presets_data"
    for kind in PRESETS:
        for path in sorted((presets_folder.root() / kind).iterdir()):
            found[f"{data}/{kind}/{path.name}"] = path.read_bytes()
    for style in styles:
        found[f"{data}/styles/{style}.toml"] = presets.path("styles", style).read_bytes()
        found[f"{data}/baked/{style}.json"] = sizes[style]
    for library in LIBRARIES:
        for file in metadata.files(library) or ():
            inside = file.parts[0] == library and file.suffix in {".py", ".lark"}
            if (inside and "__pyinstaller" not in file.parts) or "LICENSE" in file.name:
                found[file.as_posix()] = Path(str(file.locate())).read_bytes()
    return _zipped(found)


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return out.getvalue()
