"""Packing sheets: every part is in a layer, on a label and on the list, as often as it is owned."""

import re
from collections import Counter
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.printing.box_layers import pack_box
from falldamage_forge.render.packing_sheets import packing_sheets
from tests.cli.running import small_map, typed
from tests.render.test_sheets import pages

CATALOGUE = presets.load_catalogue()
PARTS = {"quadrant": 4, "tie": 8, "block-1x1x1": 40, "tree": 3, "water": 90}
SIDES = (30.0, 25.0, 20.0)


def listed(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for count, key in re.findall(r"^(\d+) x (\S+)$", text, re.MULTILINE):
        counts[key] += int(count)
    return counts


def test_layers_labels_and_list_hold_every_part_once() -> None:
    pieces = {key: CATALOGUE[key] for key in PARTS}
    packed = pack_box(PARTS, dict.fromkeys(PARTS, SIDES), (200, 150, 200))
    assert len(packed.layers) > 1
    text = pages(packing_sheets("A kit", packed, PARTS, pieces, {}))
    for part in ("Layer", "Bag labels", "Return list"):
        held = "\n".join(page for page in text if f"\n{part}" in page)
        assert listed(held) == PARTS, part


def test_pack_names_the_parts_left_over_and_writes_nothing(tmp_path: Path) -> None:
    small = small_map(tmp_path / "small.forge")
    low = typed("pack", small, "--inside", "160x160x12", cwd=tmp_path)
    assert low.returncode == 1
    assert "FDF480" in low.stderr
    assert not (tmp_path / "packing.pdf").exists()
    hint = re.search(r"a box of (\d+) x (\d+) x (\d+) mm holds them", low.stderr)
    assert hint
    assert typed("pack", small, "--inside", "x".join(hint.groups()), cwd=tmp_path).returncode == 0
    assert (tmp_path / "packing.pdf").read_bytes().startswith(b"%PDF")


def test_pack_refuses_a_size_that_is_no_box(tmp_path: Path) -> None:
    for inside in ("200x100", "axbxc", "0x10x10", "-1x10x10"):
        run = typed("pack", "duel", f"--inside={inside}", cwd=tmp_path)
        assert run.returncode == 2, inside
