"""What is known of one party: every additive preference that fits its answers, as a cloud of points in that polytope.

A preference is a worth for each option of each issue; a package is worth their sum. A party states one thing more: how
far on the way from its worst to its best package a deal must be to be better than none. An answer is a few linear
inequalities; "no deal" is a bound on that way. All worths lie between 0 and 1 (the Nash product needs no unit).

The cloud is drawn by hit and run: from each point in a random direction, to a random place on the segment that the
inequalities leave. It starts from the same seed every time, so the same answers give the same cloud.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.optimum.mip import put_rows
from graphbus_core.negotiation.consent.scenario.model import Package

Floats = NDArray[np.float64]
POINTS = 200  # preferences in a cloud
STEPS = 120  # of hit and run after an answer that most of the cloud does not fit
EXACT, LOOSE = 1.0, 2.0  # steps: what a grade is taken to mean at first, and where answers do not fit otherwise
FEW = 20  # points left of a cloud: below this the walk starts from the middle of the polytope
SLACK = 0.001  # by how much the cloud may miss an inequality: a polytope without an inside cannot be walked
UNIT = 0.6  # the worth of the most important change: the others are measured by it


class PreferenceModel:
    """The cloud of one party. `shape`: options of each issue. `least`: its stated minimum (`minimum`).

    `within`: a grade of this party is right to so many steps. Whole numbers can be right to a half; people are not.
    """

    def __init__(self, shape: Sequence[int], seed: int, points: int = POINTS, within: float = EXACT) -> None:
        self.within = within
        self.shape = tuple(shape)
        self.starts = np.concatenate([[0], np.cumsum(self.shape)])[:-1]
        self.width = int(sum(self.shape))
        self.rng = np.random.default_rng(seed)
        self.least = 0.0
        self.rows: list[Floats] = []  # each: row . worths >= bound
        self.bounds: list[float] = []
        self.deals: list[tuple[Package, bool]] = []  # packages that it would take, or would not
        # issue -> its worst and its best option, once they are known; of a single option nothing need be asked
        self.ends: dict[int, tuple[int, int]] = {i: (0, 0) for i, count in enumerate(shape) if count == 1}
        weight = np.maximum(self.rng.random((points, len(self.shape))), 0.05)
        self.points = self.rng.random((points, self.width)) * np.repeat(weight, self.shape, axis=1)
        self.scale()

    def build_package_row(self, package: Package) -> Floats:
        """What multiplies worths to give the package's."""
        out = np.zeros(self.width)
        out[self.starts + np.array(package)] = 1.0
        return out

    def build_option_row(self, issue: int, option: int) -> Floats:
        """What multiplies worths to give one option's."""
        out = np.zeros(self.width)
        out[self.starts[issue] + option] = 1.0
        return out

    def build_no_deal_row(self) -> Floats | None:
        """What multiplies worths to give that of no deal: the stated way from all the worst options to all the best.

        None while the ends of some issue are not known.
        """
        if len(self.ends) < len(self.shape):
            return None
        out = np.zeros(self.width)
        for i, (worst, best) in self.ends.items():
            out += (1 - self.least) * self.build_option_row(i, worst) + self.least * self.build_option_row(i, best)
        return out

    def find_worst_columns(self) -> frozenset[int]:
        """The columns of the worst options: the zero of each issue."""
        return frozenset(int(self.starts[i]) + worst for i, (worst, _) in self.ends.items())

    def list_answer_rows(self) -> list[Floats]:
        """All that was said, as rows that multiply worths to something that is not negative."""
        return [row for row, bound in zip(self.rows, self.bounds, strict=True) if bound <= 0]

    def scale(self) -> None:
        """Once the points have moved: worths from the worst (0) to the best package (1), for `compute_gains`."""
        low = np.minimum.reduceat(self.points, self.starts, axis=1)
        room = (np.maximum.reduceat(self.points, self.starts, axis=1) - low).sum(axis=1)
        self._scaled = (self.points - np.repeat(low, self.shape, axis=1)) / np.maximum(room, 1e-9)[:, None]

    def set_minimum(self, share: float) -> None:
        """What a deal must reach on the way from the worst (0) to the best package (1) to be better than none."""
        self.least = share

    def compute_gains(self, packages: NDArray[np.int64]) -> Floats:
        """The gain of each package (rows) under each preference of the cloud (columns), as a share of the way."""
        total = np.full((len(packages), len(self.points)), -self.least)
        for i, start in enumerate(self.starts):
            total += self._scaled[:, start + packages[:, i]].T
        return total

    def learn(self, rows: Sequence[Floats], bounds: Sequence[float]) -> bool:
        """Take up an answer: `row . worths >= bound`, each. False, and nothing changed, where nothing fits it all."""
        before = len(self.rows)
        self.rows += list(rows)
        self.bounds += list(bounds)
        if self._settle():
            return True
        del self.rows[before:], self.bounds[before:]
        return False

    def decide(self, package: Package, is_accepted: bool) -> bool:
        """Take up that a package is better than no deal, or is not. False, and nothing changed, if that cannot be."""
        none = self.build_no_deal_row()
        if none is not None:
            apart = self.build_package_row(package) - none
            return self.learn([apart if is_accepted else -apart], [0.0])
        self.deals.append((package, is_accepted))
        if self._settle():
            return True
        self.deals.pop()
        return False

    def _fits(self, points: Floats) -> NDArray[np.bool_]:
        """Which points agree with all that was said of no deal."""
        out = np.ones(len(points), dtype=np.bool_)
        if not self.deals:
            return out
        low = np.minimum.reduceat(points, self.starts, axis=1).sum(axis=1)
        top = np.maximum.reduceat(points, self.starts, axis=1).sum(axis=1)
        threshold = low + self.least * (top - low)
        for package, is_accepted in self.deals:
            worth = points[:, self.starts + np.array(package)].sum(axis=1)
            out &= (worth >= threshold - 1e-9) if is_accepted else (worth <= threshold + 1e-9)
        return out

    def _settle(self) -> bool:
        matrix, bounds = self._build_matrix()
        bounds = bounds - SLACK
        fit = (self.points @ matrix.T >= bounds - 1e-9).all(axis=1)
        fitting_points = self.points[fit]
        count = len(self.points)
        if len(fitting_points) < FEW and self.rows:
            center = find_center(matrix, bounds, np.ones(self.width))
            if center is None:
                return False
            fitting_points = self._walk(
                np.vstack([fitting_points, np.repeat(center[None, :], count, axis=0)]), STEPS, False
            )
        fitting_points = fitting_points[self._fits(fitting_points)]
        if not len(fitting_points):
            return False
        chosen = fitting_points[self.rng.permutation(len(fitting_points))[:count]]
        if len(chosen) < count:
            chosen = np.vstack([chosen, chosen[self.rng.integers(0, len(chosen), count - len(chosen))]])
        self.points = self._walk(chosen, STEPS if len(fitting_points) < count // 2 else STEPS // 2, True)
        self.scale()
        return True

    def _build_matrix(self) -> tuple[Floats, Floats]:
        if not self.rows:
            return np.zeros((1, self.width)), np.zeros(1)
        return np.array(self.rows), np.array(self.bounds)

    def _walk(self, points: Floats, steps: int, decided: bool) -> Floats:
        """Hit and run. `decided`: what was said of no deal binds as well.

        A direction is drawn at random, along few axes, or between two other points of the cloud: a cloud knows the
        shape of the polytope that it fills, and narrow ones are crossed that way.
        """
        matrix, bounds = self._build_matrix()
        bounds = bounds - SLACK
        slack = points @ matrix.T - bounds
        count = len(points)
        for step in range(steps):
            if step % 3 == 0:
                way = points[self.rng.permutation(count)] - points[self.rng.permutation(count)]
                way += self.rng.normal(size=points.shape) * 1e-3
            else:
                way = self.rng.normal(size=points.shape)
                if step % 3 == 1:
                    way *= self.rng.random(points.shape) < 0.15
            change = way @ matrix.T
            with np.errstate(divide="ignore", invalid="ignore"):
                to = np.concatenate([-slack / change, -points / way, (1.0 - points) / way], axis=1)
            up = np.concatenate([change, way, -way], axis=1)
            low = np.where(up > 1e-12, to, -np.inf).max(axis=1)
            top = np.where(up < -1e-12, to, np.inf).min(axis=1)
            far = np.isfinite(low) & np.isfinite(top) & (top > low)
            low, top = np.where(far, low, 0.0), np.where(far, top, 0.0)
            moved = np.clip(points + (low + (top - low) * self.rng.random(count))[:, None] * way, 0.0, 1.0)
            if decided and self.deals:
                moved = np.where(self._fits(moved)[:, None], moved, points)
            points = moved
            slack = points @ matrix.T - bounds
        return points


def extract_coefficients(row: Floats) -> dict[int, float]:
    """A row as a linear program takes it: what is not 0, by column."""
    return {int(n): float(row[n]) for n in np.flatnonzero(row)}


def find_center(matrix: Floats, least: Floats, high: Floats) -> Floats | None:
    """The preference that fits every inequality with the most to spare, or None: they contradict each other."""
    import highspy

    rows, width = matrix.shape
    h = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = width + 1, rows + 2 * width
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = [0.0] * width + [1.0]
    lp.col_lower_, lp.col_upper_ = [0.0] * (width + 1), [*high, 1.0]
    lp.row_lower_ = [*least, *([0.0] * width), *(-high)]
    lp.row_upper_ = [float("inf")] * (rows + 2 * width)
    every = [*matrix, *np.eye(width), *(-np.eye(width))]
    put_rows(lp, ({**extract_coefficients(row), width: -1.0} for row in every))
    h.passModel(lp)
    h.run()
    if h.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    center_point: Floats = np.clip(np.array(h.getSolution().col_value[:width]), 0.0, high)
    return center_point
