"""What a build's `settings/README.txt` says of layers and plates, for every process and printer."""

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge.export.slicer_profiles import slicer_profile_files
from falldamage_forge.geometry.stl import read_stl
from falldamage_forge.languages.translator import spoken
from falldamage_forge.presets import load_printer, load_process, load_style, names
from falldamage_forge.printing.colour_groups import GROUPS, words_of
from falldamage_forge.printing.process import PrintMode, Process
from tests.amount import EXHAUSTIVE
from tests.cli.running import run
from tests.geometry.slicing import EXECUTABLE, needs_slicer, read_gcode
from tests.languages.test_translator import LEFT, OTHERS

PROCESSES = {
    **{name: load_process(name) for name in names("processes")},
    "thick first": replace(load_process("economy"), first_layer_mm=0.28),
    "thin all": replace(
        load_process("fine"), terrain=PrintMode("terrain", 0.16, ("terrain",)), first_layer_mm=0.16
    ),
}


def page(process: Process, printer: str = "a1-mini", say: Callable[[str], str] = str) -> str:
    own = load_printer(printer).set_up(process)
    assert own is not None
    files = slicer_profile_files(own, say=say)
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
    heights |= {process.terrain.plain_layer_mm} - {None}
    assert set(told) == heights, sentence
    words = re.findall(r"[a-z]+", sentence.lower())
    assert words.count("trees") == (process.figures.layer_mm != process.terrain.layer_mm)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", PROCESSES)
def test_page_in_another_language_has_the_same_files_and_figures(name: str, language: str) -> None:
    english, other = (page(PROCESSES[name], say=spoken(key)) for key in ("en", language))
    assert not LEFT.search(re.sub("File > .*", "", other))
    for values in (r"^  \S.*$", r"[\d.]+ mm", r"\.3mf|\.stl|\.ini|\.json"):
        found = (sorted(re.findall(values, text, re.MULTILINE)) for text in (english, other))
        assert len({*map(tuple, found)}) == 1, values


@pytest.mark.parametrize("name", names("processes"))
def test_plates_of_each_colour_take_the_file_of_their_mode(name: str) -> None:
    """Lines of `economy` leave out what figures have: their plates take a file of their own."""
    process = PROCESSES[name]
    named = dict(re.findall(r"Plates of (.*) take the file called ([a-z-]+)", page(process)))
    told = {words: file for row, file in named.items() for words in row.split(", ")}
    own = {words_of(group): process.way(group).name for group in GROUPS}
    usual = process.terrain.name
    expected = {words: file for words, file in own.items() if file != usual}
    assert told.pop("dice") == expected.pop("solid dice") and told == expected
    assert {f"a1-mini-{file}.ini" for file in expected.values()} <= set(page(process).split())


@pytest.mark.parametrize("printer", names("printers"))
def test_every_file_that_the_page_names_is_there(printer: str) -> None:
    own = load_printer(printer)
    files = {file.path.removeprefix("settings/") for file in slicer_profile_files(own)}
    named = set(re.findall(r"^  (\S.*\.(?:ini|json))$", page(own.process, printer), re.MULTILINE))
    assert named == files - {"README.txt"}


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build of `duel` as the command writes it."""
    folder = tmp_path_factory.mktemp("duel") / "build"
    options = ff.BuildOptions(style=load_style("stone"), variants=11)
    ff.build(ff.load("duel"), options=options).write(folder, pictures=False)
    return folder


def commands_of(folder: Path) -> dict[str, list[str]]:
    """The words of each command of the README by the plate at its end."""
    text = (folder / "settings" / "README.txt").read_text("utf-8")
    lines = [shlex.split(line) for line in re.findall(r"^  (prusa-slicer .*)$", text, re.MULTILINE)]
    return {line[-1]: line for line in lines}


def test_readme_tells_a_command_for_each_plate(duel: Path) -> None:
    plates = {path.relative_to(duel).as_posix() for path in duel.glob("plates/*.3mf")}
    commands = commands_of(duel)
    assert len(plates) == 11 and set(commands) == plates
    for words in commands.values():
        for word in words:
            if "/" in word and not word.endswith(".gcode"):
                assert (duel / word).is_file(), word


@needs_slicer
@pytest.mark.slicer
@pytest.mark.parametrize("end", [".3mf", ".stl"])
@pytest.mark.parametrize("number", range(11) if EXHAUSTIVE else (6, 10))
def test_the_command_of_the_readme_slices_each_plate_in_its_place(
    number: int, end: str, duel: Path
) -> None:
    """By default two plates of few parts; with FORGE_EXHAUSTIVE all eleven of `duel`."""
    plate, (name, *words) = sorted(commands_of(duel).items())[number]
    assert name == "prusa-slicer" and EXECUTABLE is not None
    file = plate.replace(".3mf", end)
    gcode = duel / words[words.index("-o") + 1]
    gcode.unlink(missing_ok=True)
    done = run([EXECUTABLE, *(file if word == plate else word for word in words)], cwd=duel)
    assert done.returncode == 0, (done.stderr or done.stdout)[-300:]
    sliced, printer = read_gcode(gcode.read_text("utf-8")), load_printer("a1-mini")
    assert sliced.inside(printer)
    low, high = read_stl((duel / plate.replace(".3mf", ".stl")).read_bytes(), plate).bounds_mm()
    for axis in range(2):
        assert sliced.low_mm[axis] == pytest.approx(low[axis], abs=1.0)
        assert sliced.high_mm[axis] == pytest.approx(high[axis], abs=1.0)
