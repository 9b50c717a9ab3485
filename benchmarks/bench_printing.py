"""Columns to blocks against the greedy way, kits against single maps, packing against rectpack.

Run: python benchmarks/bench_printing.py
"""

import random
import time
from collections import Counter

from shared import ask_peer, environment, milliseconds, show

from falldamage_forge import presets
from falldamage_forge.board import Board, Tile
from falldamage_forge.builds.pipeline import pack_item
from falldamage_forge.geometry.part_size import size_of
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.lang import load
from falldamage_forge.pieces.block_candidates import Heights, heights_of
from falldamage_forge.pieces.exact_cover import BlockCover, solve_cover
from falldamage_forge.pieces.plan import nominal_costs, plan
from falldamage_forge.printing.plates import PackItem, lower_bound, pack

CATALOGUE = presets.load_catalogue()
BLOCKS = CATALOGUE.blocks()
GRAMS = nominal_costs(BLOCKS)
PRINTER = presets.load_printer("a1-mini")
OWNED = {"block-1x1x1": 12, "block-2x1x1": 6, "block-2x2x1": 4, "block-1x1x2": 4}


def boards() -> dict[str, Board]:
    return {
        name: load(presets.path("maps", name).read_text("utf-8"), name).layout.board
        for name in presets.names("maps")
    }


def random_heights(seed: int) -> dict[Tile, int]:
    chance = random.Random(seed)
    levels: dict[Tile, int] = {}
    for _ in range(10):
        top, left, level = chance.randint(1, 8), chance.randint(0, 9), chance.randint(1, 5)
        for row in range(top, min(top + chance.randint(1, 4), 9)):
            for col in range(left, min(left + chance.randint(1, 4), 10)):
                levels[Tile(row, col)] = level
    return levels


def timed(heights: list[Heights], grams: bool, owned: dict[str, int]) -> tuple[BlockCover, float]:
    start = time.perf_counter()
    found = solve_cover(heights, BLOCKS, GRAMS if grams else None, owned)
    return found, time.perf_counter() - start


def decomposition(maps: dict[str, Board]) -> None:
    cases = {name: heights_of(board) for name, board in maps.items()}
    for title, grams, owned in (
        ("about grams of blocks", True, {}),
        ("blocks", False, {}),
        ("blocks to print, some owned", False, OWNED),
    ):
        rows = []
        for name, heights in cases.items():
            found, seconds = timed([heights], grams, owned)
            rows.append((name, *told(found, seconds)))
        show(title, ("map", "exact", "greedy", "greedy is worse by", "gap", "time"), rows)
    rows = []
    for grams in (True, False):
        runs = [timed([random_heights(seed)], grams, {}) for seed in range(50)]
        proved = sum(found.proved for found, _ in runs)
        worse = sum(found.greedy_cost for found, _ in runs) / sum(found.cost for found, _ in runs)
        slowest = max(seconds for _, seconds in runs)
        what = "grams" if grams else "blocks"
        rows.append((what, f"{proved} of 50", f"{worse - 1:.1%}", f"{slowest:.2f} s"))
    show("50 random boards", ("least", "proved", "greedy is worse by", "slowest"), rows)


def told(found: BlockCover, seconds: float) -> tuple[str, ...]:
    worse = found.greedy_cost / found.cost - 1 if found.cost else 0.0
    return (
        f"{found.cost:.1f}",
        f"{found.greedy_cost:.1f}",
        f"{worse:.1%}",
        f"{found.gap:.1%}",
        f"{seconds:.2f} s",
    )


def kits(maps: dict[str, Board]) -> None:
    rows = []
    for names in (("duel", "arena"), ("ashkeep", "canyon"), ("arena", "ashkeep", "duel")):
        heights = [heights_of(maps[name]) for name in names]
        found, seconds = timed(heights, True, {})
        apart: Counter[str] = Counter()
        for each in heights:
            alone = solve_cover([each], BLOCKS, GRAMS).boards[0]
            apart |= Counter(placement.piece.key for placement in alone)
        union = sum(GRAMS[key] * count for key, count in apart.items())
        lighter = f"{1 - found.cost / union:.1%}"
        shown = (
            f"{found.cost:.0f}",
            f"{union:.0f}",
            lighter,
            f"{found.gap:.1%}",
            f"{seconds:.1f} s",
        )
        rows.append((", ".join(names), *shown))
    head = ("maps", "kit, g", "single optima joined, g", "lighter by", "gap", "time")
    show("blocks of kits, one map at a time", head, rows)


RECTPACK = """
import json, sys, time, rectpack
from rectpack import PackingMode, PackingBin
question = json.load(sys.stdin)
answers = []
for bed, rects in question:
    best, start = None, time.perf_counter()
    for algo in (rectpack.MaxRectsBssf, rectpack.MaxRectsBaf, rectpack.MaxRectsBl,
                 rectpack.SkylineBlWm, rectpack.GuillotineBssfSas):
        for sort in (rectpack.SORT_AREA, rectpack.SORT_LSIDE, rectpack.SORT_SSIDE):
            packer = rectpack.newPacker(PackingMode.Offline, PackingBin.Global, algo, sort, True)
            for number, (w, h) in enumerate(rects):
                packer.add_rect(w, h, number)
            packer.add_bin(*bed, count=len(rects))
            packer.pack()
            if len(packer.rect_list()) == len(rects) and (best is None or len(packer) < best):
                best = len(packer)
    answers.append((best, (time.perf_counter() - start) * 1000))
json.dump(answers, sys.stdout)
"""


def items_for(board: Board) -> list[PackItem]:
    parts = plan(board, CATALOGUE)
    counts = parts.counts()
    return [
        pack_item(piece, size_of(build(piece, PRINTER)), counts[key], piece.group)
        for key, piece in parts.pieces().items()
    ]


def packing(maps: dict[str, Board]) -> None:
    lists = {name: items_for(board) for name, board in maps.items()}
    gap, margin = PRINTER.spacing_mm, PRINTER.margin_mm
    bed = [round((side - 2 * margin + gap) * 100) for side in PRINTER.bed_mm]
    question, owners = [], []
    for name, items in lists.items():
        for group in sorted({item.group for item in items}):
            rects = [
                [round((item.width_mm + gap) * 100), round((item.depth_mm + gap) * 100)]
                for item in items
                if item.group == group
                for _ in range(item.count)
            ]
            question.append((bed, rects))
            owners.append(name)
    python = environment("rectpack", "rectpack")
    answers = ask_peer(python, RECTPACK, question) if not isinstance(python, str) else None
    rows = []
    for name, items in lists.items():
        ours_ms = milliseconds(lambda items=items: pack(items, PRINTER))
        ours = len(pack(items, PRINTER))
        peer = (f"- ({python})", "-")
        if answers is not None:
            own = [a for a, owner in zip(answers, owners, strict=True) if owner == name]
            peer = (str(sum(plates for plates, _ in own)), f"{sum(ms for _, ms in own):.0f} ms")
        rows.append((name, ours, lower_bound(items, PRINTER), f"{ours_ms:.0f} ms", *peer))
    head = ("map", "our plates", "lower bound", "our time", "rectpack, best of 15", "its time")
    show("plates, one colour a plate, real outlines", head, rows)


def main() -> None:
    maps = boards()
    decomposition(maps)
    kits(maps)
    packing(maps)


if __name__ == "__main__":
    main()
