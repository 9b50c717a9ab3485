"""Slicer profiles to import, which a build writes beside its plates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from falldamage_forge import presets
from falldamage_forge.export.bambu_project import process_preset
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.issues import ForgeError
from falldamage_forge.printing.colour_groups import words_of
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.process import PrintMode, Process
from falldamage_forge.printing.prusaslicer import AS_LAID, NAMES, plate_command
from falldamage_forge.printing.supports import SUPPORT_DEG

if TYPE_CHECKING:
    from falldamage_forge.export.piece_list import Say

HOWTO = """How to print on a {title}, process {process}

{studio}PrusaSlicer: File > Import > Import Config, then an .ini of this folder:
{inis}
They hold no start code that a printer needs: for figures and checks, or to copy values from.
{commands}
{supports}
{layers}
{figures}Plates of dice take the file called {solid}: only a full die is fair.
"""
FIGURES = "Plates of {groups} take the file called {name}.\n"
STUDIO = """Bambu Studio and OrcaSlicer: open project.3mf with File > Open Project, not as geometry;
it brings these settings along. To have them for single files: File > Import > Import Configs,
then the .json of this folder:
{names}

"""
COMMANDS = """
PrusaSlicer slices a plate from the command line, in the folder above (a .stl file too):
{lines}
{as_laid} keeps the parts in their places. Without it the program arranges them again, farther
apart, and refuses a full plate.
"""
NO_SUPPORTS = "Nothing needs supports."
PART = "{part} on {plates}"
LAYERS = "Layers are {terrain} mm, the first one {first} mm"
LAYERS_ALIKE = "Layers are {terrain} mm, the first one too"
LAYERS_OF_TREES = "; those of trees are {figures} mm above the first"
PLAIN_LAYERS = "; plain walls between joints are {plain} mm, which only the .3mf files say"
SUPPORTS = """Supports, for these parts alone:
{parts}
The projects and plates (.3mf) switch them on for them. For a .stl file or in another slicer, do so
by hand: everywhere, below {deg} degrees, and not under bridges. Nothing else needs supports.
"""


def slicer_profile_files(
    printer: Printer,
    plates: Sequence[Plate] = (),
    supported: Collection[str] = (),
    say: Say = str,
) -> tuple[Artifact, ...]:
    """Return every print mode as files to import, and a README; empty if no settings fit.

    Args:
        printer: The printer and its process.
        plates: Plates beside the files; the README holds the command for each.
        supported: Keys of the parts that are printed with supports.
        say: Translates the README.
    """
    process = printer.process
    groups = ("", *(own[0] for own in (process.figure_groups, process.solid_groups) if own))
    files: list[Artifact] = []
    for group in groups:
        mode = process.way(group)
        try:
            settings = presets.slicer_settings(printer, group)
        except ForgeError:
            break  # a user's printer that names no settings
        text = "".join(f"{key} = {value}\n" for key, value in settings.items())
        head = f"# {printer.label}, {mode.name}: PrusaSlicer's settings, written by the forge\n"
        name = _profile(printer, mode)
        files.append(Artifact(name, (head + text).encode()))
    inis = [file.path for file in files]
    if printer.studio is not None:
        for group in groups:
            name, data = process_preset(printer, process.way(group))
            files.append(Artifact(f"settings/{name}.json", data))
    if files:
        commands = [_command(printer, plate) for plate in plates]
        text = _howto(printer, inis, files, commands, _supports(plates, supported, say), say)
        files.append(Artifact("settings/README.txt", text.encode()))
    return tuple(files)


def _profile(printer: Printer, mode: PrintMode) -> str:
    """Return the path of PrusaSlicer's settings for a print mode."""
    return f"settings/{printer.settings or printer.name}-{mode.name}.ini"


def _command(printer: Printer, plate: Plate) -> str:
    """Return the command that slices a plate, for the folder of its build."""
    settings = [_profile(printer, printer.process.way(plate.group))]
    path = f"plates/{plate.name}"
    return " ".join([NAMES[0], *plate_command(settings, f"{path}.3mf", f"{path}.gcode")])


def _supports(plates: Sequence[Plate], supported: Collection[str], say: Say) -> str:
    """Return what is to know about supports: each part that gets them, with its plates."""
    parts = [
        say(PART).format(part=key, plates=", ".join(own))
        for key in sorted(supported)
        if (own := [plate.name for plate in plates if key in plate.counts()])
    ]
    if not parts:
        return say(NO_SUPPORTS)
    return say(SUPPORTS).format(parts=_listed(parts), deg=SUPPORT_DEG)


def _howto(
    printer: Printer,
    inis: list[str],
    files: list[Artifact],
    commands: Sequence[str],
    supports: str,
    say: Say,
) -> str:
    process = printer.process
    to_import = [file.path for file in files if file.path.endswith(".json")]
    sliced = say(COMMANDS).format(lines=_listed(commands), as_laid=AS_LAID) if commands else ""
    return say(HOWTO).format(
        title=printer.label,
        process=process.name,
        studio=say(STUDIO).format(names=_listed(to_import)) if to_import else "",
        inis=_listed(inis),
        commands=sliced,
        supports=supports,
        layers=_layers(process, say),
        figures=_figures(process, say),
        solid=process.solid.name,
    )


def _figures(process: Process, say: Say) -> str:
    """Return which plates are printed as figures; empty if none are."""
    groups = ", ".join(say(words_of(group)) for group in process.figure_groups)
    return say(FIGURES).format(groups=groups, name=process.figures.name) if groups else ""


def _layers(process: Process, say: Say) -> str:
    """Return a sentence about layer heights: first, terrain, figures and plain walls, each once."""
    first = process.first_layer_mm
    terrain, figures = process.terrain.layer_mm, process.figures.layer_mm
    parts = [LAYERS_ALIKE if first == terrain else LAYERS]
    if figures != terrain and process.figure_groups:
        parts.append(LAYERS_OF_TREES)
    if process.terrain.plain_layer_mm:
        parts.append(PLAIN_LAYERS)
    plain = process.terrain.plain_layer_mm or 0
    values = {"terrain": terrain, "first": first, "figures": figures, "plain": plain}
    texts = {name: f"{value:g}" for name, value in values.items()}
    return "".join(say(part).format(**texts) for part in parts) + "."


def _listed(paths: Sequence[str]) -> str:
    return "\n".join(f"  {path.removeprefix('settings/')}" for path in paths)
