"""What the slicer's G-code says: figures, and where plastic and minutes go."""

import json

import pytest

from falldamage_forge.export.piece_list import feature_rows, feature_table, total_row
from falldamage_forge.infra.report_table import text_lines
from falldamage_forge.printing.estimate_model import PrintStatistics
from falldamage_forge.printing.print_price import Price
from falldamage_forge.printing.prusaslicer import MOVING, add_features, read_features
from tests.cli.running import typed
from tests.geometry.slicing import needs_slicer

GCODE = """\
;TYPE:Custom
G28
G1 Z0.24 F600
;TYPE:External perimeter
G1 X0 Y0 F6000
G1 X10 E1 F1200
G1 X20 E1
;TYPE:Top solid infill
G1 X20 Y30 E2 F3600
G1 E-0.8 F2100
G1 X0 Y30 F6000
; filament used [g] = 8.00
; estimated printing time (normal mode) = 1m 40s
"""


def test_gcode_features_add_up_to_totals() -> None:
    found = read_features(GCODE)
    assert found["External perimeter"].grams == pytest.approx(4)
    assert found["Top solid infill"].grams == pytest.approx(4)
    assert found[MOVING].grams == 0
    assert sum(each.minutes for each in found.values()) == pytest.approx(100 / 60)
    # 20 mm at 20 mm/s is a second, 30 mm at 60 mm/s half of one.
    ratio = found["External perimeter"].minutes / found["Top solid infill"].minutes
    assert ratio == pytest.approx(2)


def test_features_of_plates_are_summed_in_table() -> None:
    one, other = read_features(GCODE), {"Bridge": PrintStatistics(2, 3)}
    total = add_features([one, one, other])
    assert total["External perimeter"].grams == pytest.approx(8)
    assert sum(each.grams for each in total.values()) == pytest.approx(18)
    rows = feature_rows(total)
    head, *_, last = text_lines(feature_table(Price(20)), [*rows, total_row(rows)])
    assert head == ("feature", "filament", "share", "cost", "time", "share")
    assert last[:4] == ("total", "18 g", "100%", "0.36 EUR")
    assert last[-1] == "100%"


@needs_slicer
@pytest.mark.slicer
def test_build_prints_features_of_map(tmp_path: object) -> None:
    own = f"{tmp_path}/own.csv"
    needs = json.loads(typed("pieces", "duel", "--format", "json").stdout)["pieces"]
    with open(own, "w", encoding="utf-8") as stream:  # noqa: PTH123
        stream.write("piece,count\n")
        for row in needs:
            less = 1 if row["piece"] == "chest" else 0
            stream.write(f"{row['piece']},{row['required'] - less}\n")
    run = typed("pieces", "duel", "--own", own, "--by", "feature", "--format", "json")
    assert run.returncode == 0, run.stderr
    features = {row["feature"]: row for row in json.loads(run.stdout)}
    assert features["External perimeter"]["grams"] > 0.3
    assert typed("pieces", "duel", "--by", "feature", "--format", "csv").returncode == 2
