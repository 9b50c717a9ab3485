"""Generated sources: legal syntax in every shape, spaced and commented at will."""

from hypothesis import settings
from hypothesis import strategies as st

from tests.amount import EXHAUSTIVE


def many(default: int, exhaustive: int) -> settings:
    return settings(max_examples=exhaustive if EXHAUSTIVE else default, deadline=None)


names = st.sampled_from(["tower", "end", "map", "at", "keep-2", "x", "stack", "A1b"])
tiles = st.builds(lambda c, r: f"{c}{r}", st.sampled_from("ABCDEFGHIJ"), st.integers(1, 10))
small = st.integers(0, 5).map(str)
spots = st.one_of(tiles, st.builds(lambda t, n: f"{t}@{n}", tiles, small))
items = st.one_of(
    spots,
    st.builds(lambda a, b: f"{a}..{b}", spots, tiles),
    st.builds(lambda a, b: f"ring {a} .. {b}", tiles, tiles),
    st.builds(lambda n: f"row {n}", st.integers(1, 10)),
    st.builds(lambda c: f"col {c}", st.sampled_from("ABJaj")),
    st.just("all"),
)
lists = st.lists(items, min_size=1, max_size=3).map(" ,".join)
areas = st.one_of(lists, st.builds(lambda a, b: f"{a}   except {b}", lists, lists))
swaps = st.sampled_from(["", " swap red blue"])
turns = st.sampled_from(["rotate 90", "rotate 180", "rotate  270", "mirror x", "mirror y"])
texts = st.sampled_from(["Duel", "ö # not a comment", "a { b }", ""])

simple = st.one_of(
    st.builds(lambda a, n: f"stack {a} height {n}", areas, small),
    st.builds(
        lambda a, b, n, v: f"bridge {a}->{b} level {n}{v}",
        spots,
        spots,
        small,
        st.sampled_from(["", " arch"]),
    ),
    st.builds(
        lambda a, s: f"battlement at {a}{s}", areas, st.sampled_from(["", " sides north  west"])
    ),
    st.builds(lambda a, b: f"ladder {a} -> {b}", spots, spots),
    st.builds(
        lambda k, a: f"{k} at {a}",
        st.sampled_from(["spire", "tree", "lava", "water", "treasure", "step"]),
        areas,
    ),
    st.builds(lambda a: f"start red at {a}", areas),
    st.builds(
        lambda a, s, h, c: f"railing at {a}{s}{h}{c}",
        areas,
        st.sampled_from(["", " sides north  west"]),
        st.sampled_from(["", " height 1/2in", " height  12mm", " height 2.50in"]),
        st.sampled_from(["", " cover full", "  cover no-line-of-sight"]),
    ),
    st.builds(
        lambda k, a: f"{k} at {a}",
        st.sampled_from(["obstruction", "pitfall", "gate", "base red", "field  heavy-g"]),
        areas,
    ),
    st.builds(
        lambda n, t, m: f"place {n} at {t} {' '.join(m)}",
        names,
        tiles,
        st.lists(st.one_of(turns, st.sampled_from(["raise +1", "raise -02", "as se"])), max_size=3),
    ),
    st.builds(lambda t, s: f"symmetry {t}{s}", turns, swaps),
    st.builds(lambda t: f'title "{t}"', texts),
    st.builds(lambda t: f'allow FDF310 "{t}"', texts),
    st.sampled_from(
        ["players 2", "board 010x10", "expect block-1x1x1 <= 40", 'import "a.forge" as lib']
    ),
)
cells = st.sampled_from([".", "_", "1", "2T", "3^", "!", "0~", "12$", "T"])
rows = st.lists(cells, min_size=3, max_size=3).map("  ".join)
comments = st.sampled_from(["", "", "", "  # why", "# ö {", "#"])
blank = st.sampled_from(["", "", "\n", "\n\n\n"])


def _line(indent: str, text: str, comment: str, gap: str) -> str:
    return f"{indent}{text}{comment}\n{gap}"


def _map(grid: list[str], labelled: bool, comment: str) -> str:
    if not labelled:
        return "map {" + comment + "\n" + "".join(f"{row}\n" for row in grid) + "}"
    lines = [f"  {n} |  {row}{comment}\n" for n, row in enumerate(grid, 1)]
    return "map {\n | A B   C\n" + "".join(lines) + "}"


maps = st.builds(_map, st.lists(rows, min_size=1, max_size=4), st.booleans(), comments)
settings_blocks = st.sampled_from(
    [
        "rules fall-damage",
        "rules fall-damage { headroom 2  gap strictly-lower }",
        "rules fall-damage {\nheadroom 2 # low\n\n# gap\ngap any-clear }",
        "print { printer a1-mini  fit 0.15mm }",
        "print { rim  printer a1-mini\n fit 0.15mm rim # frame\n}",
        "extras { hidden-item 4\n stand-sun-fighter 8 }",
        'license "CC-BY-4.0"',
        "inventory { block-1x1x1 40\n spire 4 }",
        "legend { K = 2   spire }",
        "legend {\n K = 2 spire\n Q = tree # q\n}",
        "print {\n}",
        "units { captain like ganger { moves 2  base-mm 32 } }",
        'units {\n# ours\n a { } # a\n\nb like a\n c { x 1 # x\n y "a b" }\n}',
    ]
)


def _block(head: str, body: list[str], comment: str) -> str:
    inner = "".join(f"{line}\n" for line in body)
    return f"{head} {{{comment}\n{inner}}}"


heads = st.one_of(
    st.builds(lambda n: f"define {n}", names),
    st.builds(lambda t, s: f"{t}{s}", turns, swaps),
)
leaves = st.one_of(simple, simple, maps, settings_blocks)
blocks = st.recursive(
    leaves,
    lambda inner: st.builds(_block, heads, st.lists(inner, max_size=3), comments),
    max_leaves=6,
)
lines = st.builds(_line, st.sampled_from(["", "  ", "\t"]), blocks, comments, blank)
programs = st.lists(lines, max_size=8).map(lambda body: "forge 1\n" + "".join(body))
