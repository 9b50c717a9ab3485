"""Writing and reading STL against trimesh and numpy-stl.

Run: python benchmarks/bench_files.py
The mesh is the base quadrant. All three write the same triangles; ours also refuses bad numbers
and gives the same bytes every time.
"""

import io

from shared import medians_ms, ratios, show

from falldamage_forge import presets
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.stl import read_stl, write_stl


def main() -> None:
    import numpy as np
    import stl
    import trimesh

    mesh = build(presets.load_catalogue()["quadrant"], presets.load_printer("a1-mini"))
    theirs = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    data = write_stl(mesh, "quadrant")

    def with_numpy_stl() -> bytes:
        triangles = np.zeros(len(mesh.faces), dtype=stl.mesh.Mesh.dtype)
        triangles["vectors"] = mesh.vertices[mesh.faces]
        stream = io.BytesIO()
        stl.mesh.Mesh(triangles).save("quadrant", fh=stream, mode=stl.Mode.BINARY)
        return stream.getvalue()

    times = medians_ms(
        {
            "the forge": lambda: write_stl(mesh, "quadrant"),
            "trimesh": lambda: theirs.export(file_type="stl"),
            "numpy-stl": with_numpy_stl,
        },
        21,
    )
    head = ("", "time", "times ours")
    title = f"writing an STL of {len(mesh.faces)} triangles"
    show(title, head, ratios(times, "the forge"))
    times = medians_ms(
        {
            "the forge, vertices joined": lambda: read_stl(data, "quadrant"),
            "trimesh, vertices joined": lambda: trimesh.load_mesh(
                io.BytesIO(data), file_type="stl"
            ),
            "numpy-stl, triangles only": lambda: stl.mesh.Mesh.from_file("x", fh=io.BytesIO(data)),
        },
        21,
    )
    show("reading it back", head, ratios(times, "the forge, vertices joined"))


if __name__ == "__main__":
    main()
