"""Table of magnets: height and volume of a quadrant, and the pull of two magnets face to face.

The pull is that of two coaxial discs of uniform magnetisation: each end is a charged disc, and two
such discs at a distance z attract by pi B²/mu0 R² times the integral of J1(s)²/s exp(-s z/R).
"""

import math

import numpy as np

from falldamage_forge import presets
from falldamage_forge.geometry.lying_magnet import lying_gap_mm
from falldamage_forge.geometry.magnet_pocket import magnet_base_mm, magnet_gap_mm
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.lengths import IN_BLOCKS, MAGNETS, MagnetSize

REMANENCE_T = 1.2
"""Remanence of the weakest grade that sellers have, N35."""
MU0 = 4e-7 * math.pi
STEPS = np.linspace(1e-4, 120.0, 24_000)


def bessel_1(at: np.ndarray) -> np.ndarray:
    """Return J1 by its integral over half a turn."""
    turn = np.linspace(0.0, np.pi, 400)
    return np.trapezoid(np.cos(turn - at[:, None] * np.sin(turn)), turn, axis=1) / np.pi


WEIGHTS = bessel_1(STEPS) ** 2 / STEPS


def pull_n(magnet: MagnetSize, gap_mm: float) -> float:
    """Return the force in N between two magnets, face to face at a gap."""
    radius, high, gap = magnet.diameter_mm / 2e3, magnet.height_mm / 1e3, gap_mm / 1e3

    def discs(apart: float) -> float:
        whole = np.trapezoid(WEIGHTS * np.exp(-STEPS * apart / radius), STEPS)
        return float(math.pi * REMANENCE_T**2 / MU0 * radius**2 * whole)

    return discs(gap) + discs(gap + 2 * high) - 2 * discs(gap + high)


def main() -> None:
    """Print a row for ties, and two for each size of magnets: in the base, and in blocks."""
    printer = presets.load_printer("a1-mini")
    gap_mm = magnet_gap_mm(fit_of(printer))
    for name in ("", *MAGNETS):
        mesh = build(presets.load_catalogue(magnets=name).quadrant, printer)
        row = f"{name or 'ties':5} {mesh.to_trimesh().volume / 1000:5.1f} cm³"
        if name:
            magnet = MAGNETS[name]
            row += f" {magnet_base_mm(magnet):6.2f} mm {pull_n(magnet, gap_mm):4.1f} N"
        print(row)
    for name, magnet in MAGNETS.items():
        block = build(presets.load_catalogue(magnets=f"{name}{IN_BLOCKS}")["block-1x1x1"], printer)
        gap_mm, volume = lying_gap_mm(magnet), block.to_trimesh().volume / 1000
        print(f"{name:5} {gap_mm:.2f} mm {pull_n(magnet, gap_mm):4.1f} N {volume:5.1f} cm³")


if __name__ == "__main__":
    main()
