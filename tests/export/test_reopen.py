"""What is read back is what was written, and nothing doubtful is believed."""

import io
import zipfile

import numpy as np
import pytest

from falldamage_forge.export.plate_meshes import plate_mesh
from falldamage_forge.export.roundtrip import known_meshes, read_3mf, verify_3mf, verify_plate_stl
from falldamage_forge.export.threemf import MODEL, PlateContents, write_plate
from falldamage_forge.export.zip_writer import CompressedSegment
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.printing.plates import PackItem, Plate, pack

PRINTER = load_printer("a1-mini")


@pytest.fixture(scope="module")
def made() -> tuple[Plate, dict[str, Mesh], PlateContents]:
    catalogue = load_catalogue()
    meshes = {key: build(catalogue[key], PRINTER) for key in ("tree", "block-1x1x1")}
    items = []
    for key, mesh in meshes.items():
        low, high = mesh.bounds_mm()
        items.append(PackItem(key, *(b - a for a, b in zip(low, high, strict=True)), 2))
    (plate,) = pack(items, PRINTER)
    stuff = PlateContents(meshes, dict.fromkeys(meshes, "stone"), {"stone": "#AABBCC"})
    return plate, meshes, stuff


def test_a_plate_is_read_back_number_for_number(
    made: tuple[Plate, dict[str, Mesh], PlateContents],
) -> None:
    plate, meshes, stuff = made
    data = write_plate(plate, stuff)
    opened = read_3mf(data, "plate")
    assert opened.uses == {"tree": 2, "block-1x1x1": 2}
    for key, mesh in meshes.items():
        assert np.array_equal(opened.meshes[key].vertices, mesh.vertices)
        assert np.array_equal(opened.meshes[key].faces, mesh.faces)
    verify_3mf(data, "plate", [plate], meshes)
    verify_3mf(data, "plate", [plate], meshes, known_meshes(stuff))
    verify_plate_stl(write_stl(plate_mesh(plate, meshes), "plate"), plate, meshes, PRINTER)


def test_another_plate_is_noticed(made: tuple[Plate, dict[str, Mesh], PlateContents]) -> None:
    plate, meshes, stuff = made
    less = Plate(1, plate.group, plate.slots[:-1])
    with pytest.raises(ForgeError, match="FDF463"):
        verify_3mf(write_plate(less, stuff), "plate", [plate], meshes)
    data = write_stl(plate_mesh(less, meshes), "plate")
    with pytest.raises(ForgeError, match="FDF461"):
        verify_plate_stl(data, plate, meshes, PRINTER)
    moved = {**meshes, "tree": Mesh(meshes["tree"].vertices + 1, meshes["tree"].faces)}
    for known in ({}, known_meshes(stuff)):
        with pytest.raises(ForgeError, match="FDF463"):
            verify_3mf(write_plate(plate, stuff), "plate", [plate], moved, known)


def test_known_mesh_texts_are_verified(
    made: tuple[Plate, dict[str, Mesh], PlateContents],
) -> None:
    plate, meshes, stuff = made
    swapped = PlateContents(
        {"tree": meshes["block-1x1x1"], "block-1x1x1": meshes["tree"]}, stuff.groups, stuff.colours
    )
    with pytest.raises(ForgeError, match="FDF463"):
        verify_3mf(write_plate(plate, swapped), "plate", [plate], meshes, known_meshes(stuff))
    lying = PlateContents(meshes, stuff.groups, stuff.colours)
    text = stuff.mesh_xml("tree").data.decode()
    lying._written["tree"] = CompressedSegment(text.replace('v1="0"', 'v1="1"'))
    with pytest.raises(ForgeError, match="FDF463"):
        known_meshes(lying)
    marked = package(OBJECT.format('<known-mesh n="0"/>'))
    with pytest.raises(ForgeError, match="reserved element"):
        read_3mf(marked, "x", known_meshes(stuff))


def package(model: str, name: str = MODEL, more: dict[str, str] | None = None) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(name, model)
        for other, text in (more or {}).items():
            made.writestr(other, text)
    return stream.getvalue()


SOUND = '<model unit="millimeter"/>'
BOMB = (
    '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><model unit="millimeter">&b;</model>'
)
OBJECT = '<model unit="millimeter"><object id="1" name="a">{}</object></model>'


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a valid zip file"),
        (package(SOUND)[:-30], "not a valid zip file"),
        (package(SOUND, "other"), "has no"),
        (package(SOUND, more={"../evil": "x"}), "a member is called"),
        (package(SOUND, more={"C:\\evil": "x"}), "a member is called"),
        (package(SOUND, more={"/evil": "x"}), "a member is called"),
        (package(SOUND, more={MODEL.upper(): "x"}), "two members"),
        (package(SOUND, more={f"n{n}": "" for n in range(199)}), "200 members"),
        (package(" " * 60_000_000), "unpacks to more than"),
        (package(BOMB), "declares entities"),
        (package("<model"), "not XML"),
        (package('<model unit="inch"/>'), "millimetre"),
        (package(OBJECT.format('<vertex x="nan" y="0" z="0"/>')), "not a finite number"),
        (package(OBJECT.format('<vertex x="1e999" y="0" z="0"/>')), "not a finite number"),
        (package(OBJECT.format('<vertex x="1"/>')), "missing or invalid attributes"),
        (package(OBJECT.format('<triangle v1="0" v2="1" v3="2"/>')), "missing vertex"),
        (package(OBJECT.format("") + "<"), "not XML"),
    ],
)
def test_reader_rejects_invalid_3mf(data: bytes, why: str) -> None:
    with pytest.raises(ForgeError, match="FDF463") as caught:
        read_3mf(data, "x")
    assert why in str(caught.value)


def test_a_sound_empty_model_is_read() -> None:
    assert read_3mf(package(SOUND), "x").meshes == {}
