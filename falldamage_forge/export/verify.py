"""The last look before writing: a piece's STL read back by another library, as a slicer will."""

from __future__ import annotations

import io

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.printer import Printer


def verify_stl(data: bytes, name: str, printer: Printer) -> None:
    """Raise ForgeError (FDF462) unless the bytes hold one closed body that the printer can print.

    trimesh merges equal float32 vertices on loading, so edges that only seemed apart in memory
    show up here as open or shared by more than two faces.
    """
    import trimesh

    mesh = trimesh.load_mesh(io.BytesIO(data), file_type="stl")
    faults = []
    if not mesh.is_watertight:
        faults.append("it is not watertight")
    if not mesh.is_winding_consistent or mesh.volume <= 0:
        faults.append("it is inside out")
    if mesh.body_count != 1:
        faults.append(f"it is {mesh.body_count} bodies")
    width_mm, depth_mm, height_mm = mesh.extents
    if max(width_mm, depth_mm) > max(printer.bed_mm) or height_mm > printer.height_mm:
        faults.append(f"it is {width_mm:.1f} x {depth_mm:.1f} x {height_mm:.1f} mm")
    if abs(mesh.bounds[0][2]) > 1e-3:
        faults.append(f"it does not rest on the bed but at {mesh.bounds[0][2]:.3f} mm")
    if faults:
        raise ForgeError(
            [Issue("FDF462", "error", f"`{name}` would not print: {'; '.join(faults)}")]
        )
