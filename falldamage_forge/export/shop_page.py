"""Text of a shop's page about a map: parts, plates, hours, tags, licence, and a checklist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falldamage_forge.infra.lazy_dataclass import dataclass

SHOPS = ("MakerWorld", "Printables", "Thingiverse")
_CREATIVE = {
    "CC-BY-4.0": "Creative Commons - Attribution",
    "CC-BY-SA-4.0": "Creative Commons - Attribution - Share Alike",
    "CC-BY-ND-4.0": "Creative Commons - Attribution - No Derivatives",
    "CC-BY-NC-4.0": "Creative Commons - Attribution - Non-Commercial",
    "CC-BY-NC-SA-4.0": "Creative Commons - Attribution - Non-Commercial - Share Alike",
    "CC-BY-NC-ND-4.0": "Creative Commons - Attribution - Non-Commercial - No Derivatives",
    "CC0-1.0": "Creative Commons - Public Domain Dedication",
}
LICENSES: Mapping[str, Mapping[str, str]] = {
    **{name: dict.fromkeys(SHOPS, title) for name, title in _CREATIVE.items()},
    **{
        name: {"Printables": title, "Thingiverse": title}
        for name, title in (
            ("GPL-3.0", "GNU - GPL"),
            ("LGPL-3.0", "GNU - LGPL"),
            ("BSD-3-Clause", "BSD License"),
        )
    },
    "SDFL": {
        "MakerWorld": "Standard Digital File License",
        "Printables": "Standard Digital File License",
    },
}
"""Name of a licence in each shop that offers it."""
TAGS = ("tabletop", "terrain", "skirmish", "wargaming", "board game", "modular")
SUPPORT_FREE = "support free"
PHOTO_NOTE = """Put a photograph of your printed table here, named photo.jpg.

MakerWorld wants at least one real photograph on each page and each print profile; a rendered
picture may be the cover if it shows the shapes of the files. `fdforge publish MAP --photo FILE`
copies it for you.
"""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model of others: path of its file, its digest, and its licence or nothing."""

    file: str
    sha256: str
    license: str = ""


@dataclass(frozen=True, slots=True)
class ShopFacts:
    """Facts of a page: words of the map, and counts, grams, minutes and money of its build.

    `supported` names the parts that are printed with supports.
    """

    title: str
    author: str
    license: str
    game: str
    board: str
    parts: int
    plates: int
    grams: float
    time: str
    printer: str
    price: str
    filaments: tuple[str, ...]
    photo: bool
    models: tuple[ModelFacts, ...] = ()
    supported: tuple[str, ...] = ()


def model_lines(models: Iterable[ModelFacts]) -> list[str]:
    """Return a line for each model of others: its licence, or what a buyer has to get."""
    lines = []
    for model in models:
        digest = f"sha256 {model.sha256}"
        if model.license:
            lines.append(f"- `{model.file}` ({model.license}) is part of these files, {digest}")
        else:
            lines.append(
                f"- `{model.file}` is not part of these files: get it from its author "
                f"({digest}), put it beside the map, and run `fdforge build`"
            )
    return ["## Models of others", "", *lines, ""] if lines else []


def license_lines(license: str) -> list[str]:
    """Return a line per shop with its own name of a licence."""
    if not license:
        return ['- The map names no license. Write `license "CC-BY-4.0"` into it.']
    names = LICENSES.get(license, {})
    return [
        f"- {shop}: {names[shop]}"
        if shop in names
        else f"- {shop}: does not offer {license}; choose one that you may give"
        for shop in SHOPS
    ]


def shop_page(facts: ShopFacts) -> str:
    """Return the text of a page, in Markdown.

    Args:
        facts: Facts of the map and its build.
    """
    by = f" by {facts.author}" if facts.author else ""
    money = f", about {facts.price}" if facts.price else ""
    photo = "x" if facts.photo else " "
    tags = TAGS if facts.supported else (*TAGS, SUPPORT_FREE)
    supports = f" but for {', '.join(facts.supported)}" if facts.supported else ""
    lines = [
        f"# {facts.title}{by}",
        "",
        f"A {facts.board} table for {facts.game}, printed without supports{supports}. "
        "All parts click together; the pictures show the parts of the files.",
        "",
        "## Print",
        "",
        f"- {facts.parts} parts on {facts.plates} plates for {facts.printer}",
        f"- {facts.grams:.0f} g of PLA and {facts.time}{money}",
        f"- filaments: {', '.join(facts.filaments)}",
        "- `files/project.3mf` opens in Bambu Studio and OrcaSlicer, `files/plates/` in "
        "PrusaSlicer, `files/build.pdf` shows how to put the table together",
        "",
        *model_lines(facts.models),
        "## Tags",
        "",
        ", ".join((*tags, facts.game)),
        "",
        "## License",
        "",
        *license_lines(facts.license),
        "",
        "## Before you publish",
        "",
        f"- [{photo}] a photograph of your printed table in `photos/`",
        "- [ ] one plate printed from these files",
        "- [ ] category: board games",
        "- [ ] each picture shows only parts that the files hold (figures-for-size.jpg has plain "
        "figures)",
    ]
    return "\n".join(lines) + "\n"
