"""The library of maps and the simulated series by which verdicts are calibrated."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
import pytest

from benchmarks import calibrate_verdicts as calibrate
from falldamage_forge.board.symmetry import side_exchange
from falldamage_forge.library.forge import Forge
from falldamage_forge.playtest.score_verdict import MOST_POINTS, capital

GRADED = [(kind, *grade) for kind, grades in calibrate.HANDICAPS.items() for grade in grades]


@pytest.mark.parametrize("pairs", calibrate.NOISE)
def test_noisy_map_is_its_own_image_with_the_sides_exchanged(pairs: int) -> None:
    texts = {calibrate.noisy(seed, pairs) for seed in range(5)}
    assert len(texts) == 5
    for text in texts:
        map_ = Forge().loads(text)
        assert not map_.issues
        assert side_exchange(map_.board) == "rotate-180"


@pytest.mark.parametrize(("kind", "grade", "fields", "more"), GRADED)
def test_handicap_breaks_the_symmetry(
    kind: str, grade: str, fields: dict[str, int], more: str
) -> None:
    map_ = Forge().loads(calibrate.text_of(fields, more))
    assert not map_.issues
    assert bool(side_exchange(map_.board)) == (kind == "none")


@pytest.mark.parametrize("mean", [0.45, 0.5, 0.6])
def test_simulated_bets_equal_those_of_verdicts(mean: float) -> None:
    points = np.random.default_rng(3).integers(2, MOST_POINTS + 1, (3, 40))
    found = calibrate.refuted(points, mean, 0.01)
    for row, flags in zip(points.tolist(), found.tolist(), strict=True):
        seen = [capital(Counter(row[: n + 1]), mean) >= log(100) for n in range(len(row))]
        assert flags == [any(seen[: n + 1]) for n in range(len(row))]


@pytest.mark.parametrize("share", calibrate.SHARES)
def test_tilted_blocks_have_the_true_score(share: float) -> None:
    chances = calibrate.tilted({0: 3, 2: 9, 3: 4, 4: 30, 6: 12, 8: 2}, share)
    assert chances.sum() == pytest.approx(1)
    assert chances @ np.arange(MOST_POINTS + 1) == pytest.approx(share * MOST_POINTS)
