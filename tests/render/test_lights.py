"""Lights of photographs: directions of length 1, power 1 on the ground, brighter where told."""

import numpy as np
import pytest

from falldamage_forge.render.raster3d.lighting import lamp, sky


@pytest.mark.parametrize("lean", [0.0, 0.6])
def test_sky_is_brighter_above_and_on_its_side(lean: float) -> None:
    light = sky(4000, 90.0, lean)
    towards, power = light.towards, light.power
    assert np.allclose(np.linalg.norm(towards, axis=1), 1, atol=1e-5)
    assert float((power * towards[:, 2]).sum()) == pytest.approx(1, abs=1e-4)
    high = towards[:, 2]
    assert high.min() == pytest.approx(0.17, abs=1e-3) and high.max() > 0.999
    above, beside = power[high > 0.95].mean(), power[high < 0.25].mean()
    assert above / beside == pytest.approx((0.6 + 0.39) / (0.6 + 0.084), abs=0.03)
    east, west = power[towards[:, 0] > 0.5].mean(), power[towards[:, 0] < -0.5].mean()
    assert (east / west > 1.5) if lean else east == pytest.approx(west, rel=0.05)
    assert np.abs(towards[:, :2].mean(axis=0)).max() < 0.01, "all round"


@pytest.mark.parametrize(("turn", "x", "y"), [(0, 0, -1), (90, 1, 0), (180, 0, 1), (270, -1, 0)])
def test_lamp_shines_from_its_turn_and_height(turn: int, x: int, y: int) -> None:
    light = lamp(500, turn, 60.0, 5.0)
    middle = light.towards.mean(axis=0)
    assert middle == pytest.approx([x / 2, y / 2, np.sqrt(3) / 2], abs=0.01)
    axis = np.array([x / 2, y / 2, np.sqrt(3) / 2])
    apart = np.degrees(np.arccos(np.clip(light.towards @ axis, -1, 1)))
    assert 4.5 < apart.max() <= 5.01
    assert float((light.power * (light.towards @ axis)).sum()) == pytest.approx(1, abs=0.01)
