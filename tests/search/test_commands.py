"""`fdforge generate` as it is typed."""

from pathlib import Path

import pytest

from tests.cli.running import typed
from tests.search.drafts import starter


@pytest.fixture
def stock(tmp_path: Path) -> Path:
    path = tmp_path / "stock.csv"
    lines = [f"{key},{count}" for key, count in starter().items()]
    path.write_text("\n".join(["piece,count", *lines]) + "\n", encoding="utf-8")
    return path


def test_a_map_of_the_stock_needs_nothing_printed(tmp_path: Path, stock: Path) -> None:
    target = tmp_path / "made.forge"
    done = typed("generate", "--seed", 7, "--own", stock, "-o", target)
    assert done.returncode == 0, done.stderr
    checked = typed("check", target)
    assert "playable (0 errors, 0 warnings)" in checked.stdout
    listed = typed("pieces", target, "--own", stock, "--format", "json")
    assert listed.returncode == 0, listed.stderr
    assert '"plates": []' in listed.stdout
    again = typed("generate", "--seed", 7, "--own", stock)
    assert again.stdout == target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--style", "cstle"), 1, "did you mean `castle`"),
        (("--wish", "good sight"), 2, "is no requirement"),
        (("--board", "12x10"), 2, "multiples of 5"),
        (("--levels", "4-2"), 2, "not a number"),
        (("--lava", "5"), 2, "two percentages"),
        (("--parts", "nowhere.forge"), 1, "no such file"),
    ],
)
def test_impossible_generate_options_are_refused(
    words: tuple[str, ...], status: int, told: str
) -> None:
    done = typed("generate", "--seed", 1, *words)
    assert done.returncode == status
    assert told in done.stderr
    assert "Traceback" not in done.stderr
