"""A second build of the same input keeps a folder that is right, and only such a folder."""

import tomllib
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.builds import build_stamp as stamps
from falldamage_forge.builds.pipeline import BuildOptions
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.artifacts import MANIFEST
from falldamage_forge.infra.atomic_write import folder_lock
from falldamage_forge.issues import Issue
from falldamage_forge.presets import load_printer, load_style
from falldamage_forge.printing.print_price import Price
from tests.cli.running import ROOT, small_map, tree, typed

Built = tuple[Path, Path, str]
PRESETS = ROOT / "presets"


def build(place: Path, *words: object) -> str:
    """Build the small map of a folder into its `out`; return what was told."""
    run = typed("build", "m.forge", "-o", "out", "--no-pictures", *words, cwd=place)
    assert run.returncode == 0, run.stderr
    return f"{run.stdout}\n--\n{run.stderr}"


@pytest.fixture
def built(tmp_path: Path) -> Built:
    """Folder of the map, folder of the export, and what the build told."""
    small_map(tmp_path / "m.forge")
    return tmp_path, tmp_path / "out", build(tmp_path)


def inodes(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_ino for path in folder.rglob("*")}


def test_second_build_writes_nothing_and_tells_the_same(
    built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, out, told = built
    (out / "mine.txt").write_text("mine")
    before = inodes(out)
    monkeypatch.setattr(type(FORGE), "assemble", None)  # a call would raise
    assert build(place) == told
    assert inodes(out) == before


def _flip(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def _link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "flip": _flip,
    "append": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "empty": lambda path: path.write_bytes(b""),
    "gone": Path.unlink,
    "link": _link,
}


def test_every_change_of_every_kind_of_file_is_noticed_and_mended(built: Built) -> None:
    place, out, told = built
    whole = tree(out)
    kinds = {Path(name).suffix: name for name in whole} | {"first": min(whole), "list": MANIFEST}
    assert len(kinds) >= 5
    for number, name in enumerate(kinds.values()):
        damage = list(DAMAGES)[number % len(DAMAGES)]
        (out / "mine.txt").write_text("mine")
        if name == MANIFEST and damage in ("gone", "empty"):
            damage = "append"  # without a manifest it is the folder of somebody else
        DAMAGES[damage](out / name)
        assert build(place) == told, (name, damage)
        left = {key: data for key, data in tree(out).items() if key in whole}
        assert left == whole and not (out / name).is_symlink(), (name, damage)
        assert (out / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("damage", list(DAMAGES))
def test_each_damage_of_one_file_is_noticed(damage: str, built: Built) -> None:
    place, out, _ = built
    whole = tree(out)
    DAMAGES[damage](out / "pieces.csv")
    build(place)
    assert {key: data for key, data in tree(out).items() if key in whole} == whole


def test_another_input_is_built(built: Built) -> None:
    place, out, _ = built
    before = tree(out)
    build(place, "--rim")
    assert tree(out) != before
    build(place)
    assert tree(out) == before
    small_map(place / "m.forge", "E4")
    build(place)
    assert tree(out) != before


def test_formats_leave_out_stl_and_the_size_of_the_folder_is_told(built: Built) -> None:
    place, out, told = built
    whole = tree(out)
    few = build(place, "--formats", "3mf")
    left = tree(out)
    gone = whole.keys() - left.keys()
    assert gone == {name for name in whole if name.endswith(".stl")} | {"order.csv"}
    assert {name for name in left if left[name] != whole[name]} == {MANIFEST}
    for words, files in ((told, whole), (few, left)):
        size = sum(map(len, files.values())) / 1e6
        assert f"({len(files)} files, {size:.1f} MB)" in words


def test_locked_folder_is_refused_as_by_a_build(built: Built) -> None:
    place, out, _ = built
    with folder_lock(out):
        run = typed("build", "m.forge", "-o", "out", "--no-pictures", cwd=place)
    assert run.returncode == 1 and "FDF296" in run.stderr


def test_without_cache_everything_is_built(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    place, out, told = built
    before = inodes(out)
    assert build(place, "--no-cache") == told
    after = inodes(out)
    assert after.keys() == before.keys()
    assert all(after[path] != before[path] for path in before if path.is_file())


@pytest.mark.parametrize("body", [b"", b"{}", b"[1]", b'{"manifest": 1, "summary": {"lines": 3}}'])
def test_damaged_stamp_is_no_stamp(body: bytes, built: Built) -> None:
    place, _, _ = built
    stamp = stamps.BuildStamp("version", "key")
    disk_cache.put(stamp.version, stamp.key, body)
    assert stamp.summary_of(place / "out") is None


def test_summary_comes_back_whole(tmp_path: Path) -> None:
    text = small_map(tmp_path / "m.forge").read_text()
    build(tmp_path)
    files = [stamps.ManifestEntry(MANIFEST, 1, _digest(tmp_path / "out" / MANIFEST))]
    issue = Issue("FDF441", "warning", text, tiles=((1, 2), (3, 4)), hint="turn it", count=2)
    told = stamps.BuildSummary((issue, replace(issue, followers=(issue,))), ("ä\n", ""))
    stamp = stamps.BuildStamp("version", "whole")
    stamp.store(files, told)
    assert stamp.summary_of(tmp_path / "out") == told


def _digest(path: Path) -> str:
    return stamps.hashlib.sha256(path.read_bytes()).hexdigest()


OTHER: dict[str, Any] = {
    "owned": {"chest": 1},
    "minimise": "grams",
    "bond": True,
    "group_by": "stage",
    "printers": 2,
    "share_g": 3.0,
    "price": Price(20.0, "EUR"),
    "style": load_style("stone"),
    "variants": 2,
    "rim": True,
    "filaments": 3,
    "template": "a template",
    "tops": "grass",
    "change_by": "pause",
    "language": "de",
    "formats": "3mf",
    "licensed": True,
}
"""A value of each option that is not the default."""


def test_every_input_is_in_the_stamp(tmp_path: Path) -> None:
    path = small_map(tmp_path / "m.forge")
    checked = FORGE.check(FORGE.load(path))
    printer, options, out = load_printer("a1-mini"), BuildOptions(), Path("out")
    assert OTHER.keys() == {item.name for item in fields(BuildOptions)}
    changed = [replace(options, **{name: value}) for name, value in OTHER.items()]
    one = stamps.build_stamp(checked, printer, options, out, PRESETS, pictures=True)
    texts = {**checked.map.texts, "part.forge": "forge 1\n"}
    issue = Issue("FDF441", "warning", "a warning")
    other_rules = FORGE.check(FORGE.load(path), rules="gatefall")
    keys = [
        one.key,
        *(
            stamps.build_stamp(checked, printer, each, out, PRESETS, pictures=True).key
            for each in changed
        ),
        *(
            stamps.build_stamp(each, printer, options, out, PRESETS, pictures=True).key
            for each in (
                replace(checked, map=replace(checked.map, name="n.forge")),
                replace(checked, map=replace(checked.map, texts=texts)),
                replace(checked, issues=(issue,)),
                replace(checked, position=other_rules.position),
            )
        ),
        stamps.build_stamp(checked, load_printer("p1s"), options, out, PRESETS, pictures=True).key,
        stamps.build_stamp(checked, printer, options, Path("other"), PRESETS, pictures=True).key,
        stamps.build_stamp(checked, printer, options, out, PRESETS, pictures=False).key,
    ]
    for item in fields(printer):
        value = getattr(printer, item.name)
        if isinstance(value, float):
            wider = replace(printer, **{item.name: value + 0.01})
            keys.append(
                stamps.build_stamp(checked, wider, options, out, PRESETS, pictures=True).key
            )
    assert len(set(keys)) == len(keys)
    assert stamps.build_stamp(checked, printer, options, out, PRESETS, pictures=True) == one


def test_any_file_of_the_package_is_in_the_version(tmp_path: Path) -> None:
    def version() -> str:
        disk_cache.package_version_digest.cache_clear()
        disk_cache._file_digest.cache_clear()
        return disk_cache.package_version_digest(tmp_path, ())

    seen = {version()}
    for name in ("a.py", "b/table.toml", "b/page.html", "b/a.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        for text in ("one", "two"):
            (tmp_path / name).write_text(text)
            assert version() not in seen, name
            seen.add(version())
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("compiled")
    assert version() in seen
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    assert version() not in seen


def test_libraries_of_the_stamp_are_the_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(stamps.LIBRARIES) == {each.partition(">")[0] for each in project["dependencies"]}
