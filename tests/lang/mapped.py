"""Generated maps that load without an error: each statement has a part of the board to itself."""

from hypothesis import strategies as st

PARTS = tuple((row, col) for row in (0, 3, 6) for col in (0, 3, 6))
NAMES = "ABCDEFGHIJ"


def name(row: int, col: int) -> str:
    return f"{NAMES[col]}{row + 1}"


def box(part: tuple[int, int], rows: int = 3, cols: int = 3) -> str:
    row, col = part
    return f"{name(row, col)}..{name(row + rows - 1, col + cols - 1)}"


WHOLE = (
    lambda p: f"stack {box(p)} height 2",
    lambda p: f"stack {box(p)} except {name(p[0], p[1])} height 1  # a wall",
    lambda p: f"stack ring {box(p)} height 3",
    lambda p: f"stack {name(*p)}, {name(p[0] + 1, p[1] + 1)} height 1",
    lambda p: f"stack {name(*p)} height 2\nladder {name(p[0] + 1, p[1])} -> {name(*p)}",
    lambda p: f"stack {name(*p)} height 2\nladder {name(p[0], p[1] + 1)}@0 -> {name(*p)}@2",
    lambda p: (
        f"stack {name(*p)}, {name(p[0], p[1] + 2)} height 2\n"
        f"bridge {name(*p)} -> {name(p[0], p[1] + 2)} level 2  # high"
    ),
    lambda p: f"tree at {name(*p)},{name(p[0] + 1, p[1])}",
    lambda p: f"lava at {box(p, 1, 3)}   # hot\nwater at {box((p[0] + 1, p[1]), 1, 2)}",
    lambda p: f"stack {name(*p)} height 1\nspire at {name(*p)}\nstep at {name(p[0] + 1, p[1])}",
    lambda p: f"stack {name(*p)} height 1\ntreasure at {name(*p)}@1",
    lambda p: f"treasure at {name(*p)}",
    lambda p: f"stack {box(p)} height 1\nbattlement at {name(*p)} sides north west",
    lambda p: f"stack {box(p)} height 1\nrailing at {name(*p)} sides north west height 1in",
    lambda p: f"pitfall at {name(*p)}\nobstruction at {name(p[0], p[1] + 1)} height 30mm",
    lambda p: f"base red at {box(p)}\nfield heavy-g at {name(*p)}  # heavy",
    lambda p: "# nothing here",
)
PLACED = (
    lambda p: f"place tower at {name(*p)}",
    lambda p: f"place tower at {name(*p)} rotate 90 raise +1",
    lambda p: f"place keep at {name(*p)} mirror x",
    lambda p: f"place keep at {name(*p)}",
)
DEFINES = """\
define tower {
  map {
    1  2  _
    T  3  .
  }
  ladder A2 -> A1  # up
}
define keep {
  stack A1..B2 height 2
  tree at A3
  place tower at B2
}
""".replace("place tower at B2\n", "step at B3\n")
HEADS = ("symmetry rotate 180", "symmetry mirror y", "symmetry rotate 90")


@st.composite
def maps(draw: st.DrawFn, plain: bool = False) -> str:
    """A map of 10x10 tiles; a plain one places and mirrors nothing."""
    lines = ["forge 1", 'title "Made"  # by chance']
    parts = list(draw(st.permutations(PARTS)))
    head = "" if plain else draw(st.sampled_from(("", "", *HEADS)))
    if not plain:
        lines.append(DEFINES.rstrip())
        lines += [head] if head else []
        parts = [part for part in parts if part[0] == 0] if head else parts
    kinds = WHOLE if plain else (*WHOLE, *PLACED)
    if head:
        parts = [(0, 0)] if head.endswith("90") else [(0, 0), (0, 6)][: 1 + ("y" in head)]
    used = parts[: draw(st.integers(0, 6))]
    for part in used:
        lines.append(draw(st.sampled_from(kinds))(part))
    if draw(st.booleans()) and not head and used:
        lines.insert(2, _map(draw(st.booleans())))
    if not plain and not head and draw(st.booleans()):
        free = [part for part in PARTS[:3] if part not in used and (6, part[1]) not in used]
        if free:
            body = draw(st.sampled_from(WHOLE))(free[0]).replace("\n", "\n  ")
            lines.append(f"mirror y {{\n  {body}\n}}")
    return "\n".join(lines) + "\n"


def _map(labelled: bool) -> str:
    """A map whose last row and column say something, and the rest little."""
    rows = []
    for row in range(10):
        cells = ["." if col < 9 or row % 3 == 0 else "_" for col in range(10)]
        if row == 9:
            cells = [".", "1", "2", ".", "T", "1", ".", "~", "$", "1T"]
        rows.append((f"{row + 1:>3} | " if labelled else "  ") + "  ".join(cells))
    return "map {  # drawn\n" + "\n".join(rows) + "\n}"
