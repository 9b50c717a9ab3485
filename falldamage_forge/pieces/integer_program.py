"""Mixed-integer program and its solver, HiGHS: one thread, fixed seed, a limit on nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from typing import Any

INFINITY = float("inf")


@dataclass(slots=True)
class IntegerProgram:
    """A minimisation over variables of at least 0, under rows `low <= sum <= high`.

    `starts`, `columns` and `weights` are the matrix in compressed rows (CSR); `highs` are the upper
    bounds of variables, `whole` marks integer variables, `lows` and `tops` are the bounds of rows.
    """

    costs: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    highs: list[float] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    columns: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    lows: list[float] = field(default_factory=list)
    tops: list[float] = field(default_factory=list)

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.costs)

    def choice(self, cost: float) -> int:
        """Add a binary variable and return its index."""
        return self._variable(cost, True, 1.0)

    def amount(self, cost: float) -> int:
        """Add a variable of at least 0 and return its index.

        It is continuous: integer variables push it up, so its optimal value is an integer.
        """
        return self._variable(cost, False, INFINITY)

    def _variable(self, cost: float, whole: bool, high: float) -> int:
        self.costs.append(cost)
        self.whole.append(whole)
        self.highs.append(high)
        return len(self.costs) - 1

    def row(
        self,
        columns: Sequence[int],
        weights: Sequence[float],
        low: float | None,
        high: float | None,
    ) -> None:
        """Add a row.

        Args:
            columns: Indices of variables.
            weights: Coefficient of each.
            low: Lower bound; None for none.
            high: Upper bound; None for none.
        """
        self.columns += columns
        self.weights += weights
        self.starts.append(len(self.columns))
        self.lows.append(-INFINITY if low is None else low)
        self.tops.append(INFINITY if high is None else high)


@dataclass(frozen=True, slots=True)
class Solution:
    """A feasible solution: a value for every variable, and a lower bound on all costs."""

    values: tuple[float, ...]
    cost: float
    bound: float
    proved: bool
    seconds: float


@cache
def is_here() -> bool:
    """True if HiGHS is installed; a browser has none."""
    return find_spec("highspy") is not None


def solve(program: IntegerProgram, nodes: int, seconds: float) -> Solution | None:
    """Return the best solution found, or None if there is none.

    Args:
        program: Program to solve.
        nodes: Limit on nodes of the branch-and-bound tree; it makes answers reproducible.
        seconds: Safety limit on time.
    """
    import highspy
    import numpy as np

    class Silent(highspy.Highs):  # type: ignore[misc]
        """A solver that is silent before its first step, which would write its version."""

        def enableCallbacks(self) -> None:
            self.silent()
            super().enableCallbacks()

    highs: Any = Silent()
    for name, value in {
        "threads": 1,
        "random_seed": 0,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 1e-4,
        "mip_max_nodes": nodes,
        "time_limit": seconds,
    }.items():
        highs.setOptionValue(name, value)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.variables, len(program.lows)
    model.col_cost_ = np.array(program.costs)
    model.col_lower_ = np.zeros(program.variables)
    model.col_upper_ = np.array(program.highs)
    model.row_lower_, model.row_upper_ = np.array(program.lows), np.array(program.tops)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array(program.starts, dtype=np.int32)
    model.a_matrix_.index_ = np.array(program.columns, dtype=np.int32)
    model.a_matrix_.value_ = np.array(program.weights)
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    model.integrality_ = [kinds[whole] for whole in program.whole]
    highs.passModel(model)
    highs.run()
    return _answer(highs, highspy)


def _answer(highs: Any, highspy: Any) -> Solution | None:
    info = highs.getInfo()
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return None
    proved = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    cost = float(info.objective_function_value)
    bound = cost if proved else float(info.mip_dual_bound)
    return Solution(
        tuple(map(float, highs.getSolution().col_value)), cost, bound, proved, highs.getRunTime()
    )
