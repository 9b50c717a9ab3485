"""Wavefront OBJ with its materials: the table for painters, in millimetres, z up."""

from __future__ import annotations

import re

from falldamage_forge.render.scenes.table_scene import TableScene, srgb


def write_obj(scene: TableScene, materials_name: str) -> str:
    """Return the text of the OBJ file; each instance is an object of its own.

    Args:
        scene: The table.
        materials_name: Name of the MTL file beside it.
    """
    lines = [f"# {_line(scene.title)}", "# millimetres, z up", f"mtllib {_line(materials_name)}"]
    first = 1
    for one in scene.instances:
        lines.append(f"o {_line(one.name)}")
        for mesh in scene.models[one.key]:
            corners = mesh.vertices @ one.at[:3, :3].T + one.at[:3, 3]
            lines.append(f"usemtl {_name(mesh.colour)}")
            lines += [f"v {x:.3f} {y:.3f} {z:.3f}" for x, y, z in corners.tolist()]
            lines += [f"f {a} {b} {c}" for a, b, c in (mesh.faces + first).tolist()]
            first += len(corners)
    return "\n".join(lines) + "\n"


def write_mtl(scene: TableScene) -> str:
    """Return the text of the MTL file: a diffuse sRGB colour for each material.

    Args:
        scene: The table.
    """
    blocks = (
        f"newmtl {_name(colour)}\nKd {' '.join(f'{part:.4f}' for part in srgb(colour))}\n"
        for colour in scene.colours()
    )
    return "\n".join(blocks)


def _name(colour: str) -> str:
    return f"colour-{colour[1:]}"


def _line(text: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f\u2028\u2029]", " ", text)
