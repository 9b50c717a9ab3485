"""Exact binomial tails and intervals, by the regularized incomplete beta function.

Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934); the fraction is DLMF 8.17.22.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p

CONFIDENCE = 0.95
"""Confidence of the intervals of measures."""
_TINY, _CLOSE, _HALVINGS = 1e-300, 1e-12, 50


def at_most(hits: float, games: float, chance: float) -> float:
    """Return the probability of at most `hits` successes in `games` trials."""
    return beta_cdf(1 - chance, games - hits, hits + 1) if hits < games else 1.0


def two_sided(hits: int, games: int) -> float:
    """Return the exact two-sided p-value of `hits` in `games` against a chance of one half."""
    return min(1.0, 2 * at_most(min(hits, games - hits), games, 0.5)) if games else 1.0


def interval(hits: float, games: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a share.

    Args:
        hits: Number of successes; a fraction where the share was counted in other units.
        games: Number of independent trials, above 0.
    """
    tail = (1 - CONFIDENCE) / 2
    return _least(hits, games, tail), 1 - _least(games - hits, games, tail)


def _least(hits: float, games: float, tail: float) -> float:
    """The chance at which at least so many hits have the probability `tail`."""
    if hits <= 0:
        return 0.0
    low, high = 0.0, min(hits / games, 1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = beta_cdf(middle, hits, games - hits + 1) < tail
        low, high = (middle, high) if below else (low, middle)
    return low


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function I_x(a, b), for positive a and b."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(front) / a / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the function, by Lentz's method."""
    c, d = 1.0, 0.0
    value, step, n = 1.0, 0.0, 0
    while abs(step - 1) > _CLOSE:
        for term in _terms(x, a, b, n):
            d = 1 / ((1 + term * d) or _TINY)
            c = (1 + term / c) or _TINY
            step = c * d
            value *= step
        n += 1
    return value


def _terms(x: float, a: float, b: float, n: int) -> tuple[float, ...]:
    odd = -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1))
    if not n:
        return (odd,)
    even = n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n))
    return even, odd
