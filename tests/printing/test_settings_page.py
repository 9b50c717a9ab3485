"""What a build's `settings/README.txt` says of layers, for every process and printer."""

import re
from dataclasses import replace

import pytest

from falldamage_forge.export.slicer_profiles import slicer_profile_files
from falldamage_forge.presets import load_printer, load_process, names
from falldamage_forge.printing.process import PrintMode, Process

PROCESSES = {
    **{name: load_process(name) for name in names("processes")},
    "thick first": replace(load_process("standard"), first_layer_mm=0.28),
    "thin all": replace(
        load_process("fine"), terrain=PrintMode("terrain", 0.16, ("terrain",)), first_layer_mm=0.16
    ),
}


def page(process: Process, printer: str = "a1-mini") -> str:
    files = slicer_profile_files(replace(load_printer(printer), process=process))
    (found,) = (file.data for file in files if file.path == "settings/README.txt")
    return found.decode()


@pytest.mark.parametrize("name", PROCESSES)
def test_readme_states_each_layer_height_once(name: str) -> None:
    process = PROCESSES[name]
    (sentence,) = re.findall(r"Layers are [^\n]*", page(process))
    told = [float(number) for number in re.findall(r"([\d.]+) mm", sentence)]
    assert len(told) == len(set(told)), sentence
    heights = {process.terrain.layer_mm, process.first_layer_mm}
    heights |= {process.figures.layer_mm} if process.figure_groups else set()
    assert set(told) == heights, sentence
    words = re.findall(r"[a-z]+", sentence.lower())
    assert words.count("trees") == (process.figures.layer_mm != process.terrain.layer_mm)


@pytest.mark.parametrize("printer", names("printers"))
def test_every_file_that_the_page_names_is_there(printer: str) -> None:
    own = load_printer(printer)
    files = {file.path.removeprefix("settings/") for file in slicer_profile_files(own)}
    named = set(re.findall(r"^  (\S.*\.(?:ini|json))$", page(own.process, printer), re.MULTILINE))
    assert named == files - {"README.txt"}
