"""The user's settings file, money, and a printer of one's own that is never lost."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import small_map, typed

MONEY = re.compile(r"(\d |,|\")XTS\b")
WRITTEN = ("pieces.csv", "pieces.json", "report.html")
FORMATS = ("table", "json", "csv", "markdown")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"FDFORGE_CONFIG_DIR": str(tmp_path / "config")}


def test_a_printer_is_remembered_with_process_and_price(
    home: dict[str, str], tmp_path: Path
) -> None:
    run = typed("printer", "use", "p1s", "--price", "18.5", "--currency", "usd", **home)
    assert run.returncode == 0, run.stderr
    assert "Bambu Lab P1S" in run.stdout
    listed = typed("printer", "list", **home).stdout
    assert "* p1s" in listed
    assert "18.5 USD a kg" in listed
    map_ = small_map(tmp_path / "small.forge")
    run = typed("pieces", map_, "--format", "json", **home)
    total = json.loads(run.stdout)["total"]
    assert total["currency"] == "USD"
    assert total["cost"] == pytest.approx(total["grams"] * 18.5 / 1000, abs=0.01)
    run = typed("pieces", map_, "--price", "20", "--format", "csv", **home)
    assert run.stdout.splitlines()[0].endswith("cost,currency")
    run = typed("slicer", "-o", tmp_path / "out", **home)
    assert "Bambu Lab P1S" in run.stdout, run.stderr
    assert typed("printer", "use", "a1", **home).returncode == 0
    assert "18.5 USD a kg" in typed("printer", "list", **home).stdout


def test_every_list_of_parts_shows_what_they_cost(home: dict[str, str], tmp_path: Path) -> None:
    """A remembered price is in each list of each command, and in none without it."""
    map_ = small_map(tmp_path / "small.forge")
    commands = {
        **{f"pieces {form}": ("pieces", map_, "--format", form) for form in FORMATS},
        **{f"kit {form}": ("kit", map_, "--format", form) for form in FORMATS},
        "report": ("report", map_, "-o", tmp_path / "page.html"),
        "build": ("build", map_, "-o", tmp_path / "out"),
    }

    def told(name: str) -> dict[str, str]:
        run = typed(*commands[name], cwd=tmp_path, **home)
        assert run.returncode == 0, run.stderr
        if name == "report":
            return {name: (tmp_path / "page.html").read_text("utf-8")}
        if name == "build":
            files = ("pieces.csv", "pieces.json", "report.html")
            return {
                f"{name} {file}": (tmp_path / "out" / file).read_text("utf-8") for file in files
            }
        return {name: run.stdout}

    before = {key: text for name in commands for key, text in told(name).items()}
    assert not [key for key, text in before.items() if MONEY.search(text)]
    assert (
        typed("printer", "use", "a1-mini", "--price", "20", "--currency", "xts", **home).returncode
        == 0
    )
    after = {key: text for name in commands for key, text in told(name).items()}
    assert not [key for key, text in after.items() if not MONEY.search(text)]
    total = json.loads(after["pieces json"])["total"]
    for key in ("report", "build report.html"):
        assert f"{total['cost']:.2f} XTS" in after[key]


def test_a_file_of_ones_own_is_remembered_from_everywhere(
    home: dict[str, str], tmp_path: Path
) -> None:
    own = tmp_path / "my-printer.toml"
    own.write_text('title = "Mine"\nbed_mm = [200, 200]\nheight_mm = 180\n', encoding="utf-8")
    run = typed("printer", "use", "my-printer.toml", cwd=tmp_path, **home)
    assert run.returncode == 0, run.stderr
    assert "Mine" in typed("printer", "list", cwd=tmp_path.parent, **home).stdout


def test_a_nozzle_chooses_its_process(home: dict[str, str], tmp_path: Path) -> None:
    """Builds, profiles and lists then have it, until another nozzle is chosen."""
    run = typed("printer", "use", "p1s", "--nozzle", "0.6", **home)
    assert run.returncode == 0, run.stderr
    assert "Bambu Lab P1S (0.6 mm), process quick" in run.stdout
    assert "(0.6 mm)" in typed("printer", "list", **home).stdout
    run = typed("slicer", "-o", tmp_path / "out", **home)
    assert "Bambu Lab P1S (0.6 mm), process quick" in run.stdout, run.stderr
    text = (tmp_path / "out" / "p1s-quick.ini").read_text("utf-8")
    assert "nozzle_diameter = 0.6" in text
    run = typed("printer", "use", "--nozzle", "0.4", **home)
    assert "Bambu Lab P1S, process standard" in run.stdout, run.stderr


def test_a_printer_file_may_have_the_wider_nozzle(home: dict[str, str], tmp_path: Path) -> None:
    """A process for another nozzle is an error that names the right one."""
    own = tmp_path / "wide.toml"
    text = 'title = "Wide"\nbed_mm = [200, 200]\nheight_mm = 180\nnozzle_mm = 0.6\n'
    own.write_text(text, encoding="utf-8")
    run = typed("build", small_map(tmp_path / "small.forge"), "--printer", own, "-o", "out", **home)
    assert run.returncode == 1
    assert "process `standard` is for nozzles of 0.2 to 0.42 mm; Wide has 0.6 mm" in run.stderr
    assert "choose `--process quick`" in run.stderr
    assert not (tmp_path / "out").exists()
    run = typed("printer", "use", own, "--nozzle", "0.6", **home)
    assert "Wide (0.6 mm), process quick" in run.stdout, run.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--nozzle", "0.8"), "no process is for a nozzle of 0.8 mm"),
        (("--nozzle", "0.8"), "a wider nozzle leaves thin walls out"),
        (("--nozzle", "0.6", "--process", "fine"), "process `fine` is for nozzles of 0.2 to 0.42"),
        (("a1-mimi",), "did you mean `a1-mini`?"),
        (("--process", "economie"), "did you mean `economy`?"),
        (("--price", "0"), "`price_per_kg` should be"),
        (("--currency", "euro"), "three letters"),
        ((), "name a printer"),
    ],
)
def test_wrong_settings_are_refused_and_not_stored(
    words: tuple[str, ...], says: str, home: dict[str, str]
) -> None:
    run = typed("printer", "use", *words, **home)
    assert run.returncode
    assert says in run.stderr
    assert not (Path(home["FDFORGE_CONFIG_DIR"]) / "settings.toml").exists()


def test_invalid_settings_file_is_reported_with_its_path(home: dict[str, str]) -> None:
    path = Path(home["FDFORGE_CONFIG_DIR"]) / "settings.toml"
    path.parent.mkdir()
    path.write_text("printr = 'a1'\n", encoding="utf-8")
    run = typed("printer", "list", **home)
    assert run.returncode == 1
    assert "did you mean `printer`?" in run.stderr
    assert str(path) in run.stderr


def test_a_printer_of_ones_own_is_never_overwritten_silently(tmp_path: Path) -> None:
    own = tmp_path / "my-printer.toml"
    assert typed("coupon", "--set", "0.2", "-o", own).returncode == 0
    before = own.read_bytes()
    run = typed("coupon", "--set", "0.1", "-o", own)
    assert run.returncode == 1
    assert "exists already" in run.stderr
    assert "--replace" in run.stderr
    assert own.read_bytes() == before
    assert typed("coupon", "--set", "0.1", "-o", own, "--replace").returncode == 0
    assert own.read_bytes() != before
