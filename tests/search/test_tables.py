"""The ten tournament tables keep what is claimed of them."""

from functools import cache

import pytest

from falldamage_forge import presets
from falldamage_forge.board.symmetry import symmetries
from falldamage_forge.cli.build_options import read_stock_file
from falldamage_forge.infra import presets_folder
from falldamage_forge.search import adapter
from falldamage_forge.search.tournament_tables import KIT, TableClaims, claims, page
from tests.cli.running import ROOT

TABLES = adapter.tables()


@cache
def claimed() -> tuple[TableClaims, ...]:
    return claims(TABLES)


def test_ten_tables_differ() -> None:
    assert len(claimed()) == 10
    assert min(each.nearest for each in claimed()) > 0.7
    assert len({each.title for each in claimed()}) == 10


def test_the_set_is_what_all_ten_need_at_the_same_time() -> None:
    wanted = presets.load_set(KIT)
    assert sorted(wanted.maps) == sorted(TABLES)
    assert wanted.together


@pytest.mark.parametrize("name", TABLES)
def test_one_stock_builds_each_table(name: str) -> None:
    stock = read_stock_file(presets_folder.root() / "tables" / "stock.csv")
    assert adapter.missing_parts(TABLES[name], stock) == {}
    earlier = {key: count for key, count in stock.items() if "disc" not in key}
    assert adapter.missing_parts(TABLES[name], earlier) == {}, "starts of one part serve, too"
    fewer = {**earlier, "start-red": 7}
    assert adapter.missing_parts(TABLES[name], fewer) == {"start-red": 1}


@pytest.mark.parametrize("name", TABLES)
def test_each_is_playable_by_everybody_and_its_own_image(name: str) -> None:
    checked = adapter.check(TABLES[name], f"{name}.forge")
    assert checked.issues == ()
    assert set(symmetries(checked.layout.board)) & {"rotate-180", "mirror-y"}


def test_tables_agree_in_fairness() -> None:
    for each in claimed():
        assert each.symmetry in ("rotate-180", "mirror-y"), each.name
        assert 3 <= each.contact <= 5, each.name
        assert 4 <= each.ways <= 8, each.name
        assert 0.65 <= each.reach <= 0.95, each.name


def test_page_and_pictures_of_the_tables_are_current() -> None:
    assert (ROOT / "docs" / "tables.md").read_text(encoding="utf-8") == page(claimed())
    for name in TABLES:
        assert (ROOT / "docs" / "pictures" / "tables" / f"{name}.png").is_file()
