"""The proven bound: how much of the greatest product a package can miss at most, whatever preferences fit the answers.

Pure. Everything that is said is linear in a party's worths, so the worst case is a linear program; HiGHS solves it.
"""

# Theory of operation
# ===================
#
# What is wanted. A package x is to be tabled. Somebody's true preferences fit all answers; nobody knows which of those
# that fit. Its regret is the share of the greatest product of gains that x misses. A bound of it must hold for every
# choice of preferences that fit, for all parties at once, not for a sample of them.
#
# Why it is linear. With the worst option of each issue worth 0, a party's gain from a package is a sum of worths less
# its minimum, and the minimum is a known share of the sum of its best options. So gain(x) = a . w with a known row a.
# Each answer is an inequality r . w >= 0. Nothing depends on the unit of w: it may be chosen so that gain(x) = 1.
#
# One party. How many times its gain from x may another package y bring it? The greatest a_y . w over all w with
# r . w >= 0 and a_x . w = 1: one linear program. It is infinite where x might bring it nothing: then nothing is proved.
#
# All parties. Their preferences are chosen independently, so the greatest ratio of the products is the product of the
# greatest ratios. The bound of the regret is 1 - 1 / (the greatest such product over all packages y).
#
# Not all packages need be looked at that closely. Replacing options one by one, y brings a party at most
# 1 + the sum over issues of the most that each replacement can bring; that is one program for an option of a party, not
# for a package. Packages are taken by this rough bound, the greatest first, and looked at closely until no rough bound
# is above what was found. What is left when the budget is used up counts with its rough bound: the proof stands anyway.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.optimum.programmed import put_rows
from graphbus_core.negotiation.consent.scenario.scenario import Outcome
from graphbus_core.negotiation.consent.sealed.fitting import Fitting, Floats, coefficients

CLOSELY = 120  # packages that are looked at closely for one bound
BEYOND = 1e9  # a ratio above this counts as infinite


@dataclass(frozen=True)
class Proven:
    """The proven bound of a package's regret, and the packages that stand against it: the greatest ratio first."""

    bound: float
    rivals: tuple[Outcome, ...]


class _Party:
    """One party's linear program, with the unit chosen so that the tabled package is worth 1 to it."""

    def __init__(self, fitting: Fitting, tabled: Outcome) -> None:
        import highspy

        self.fitting, self.tabled = fitting, tabled
        self.none = fitting.none_row()
        self.infinite = self.none is None
        if self.none is None:
            return
        rows, width = fitting.said_rows(), fitting.width
        worst = fitting.worst_places()
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = width, len(rows) + 1
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.col_cost_ = [0.0] * width
        lp.col_lower_ = [0.0] * width
        lp.col_upper_ = [0.0 if n in worst else math.inf for n in range(width)]
        lp.row_lower_ = [0.0] * len(rows) + [1.0]
        lp.row_upper_ = [math.inf] * len(rows) + [1.0]
        put_rows(lp, map(coefficients, [*rows, fitting.row(tabled) - self.none]))
        self.h = highspy.Highs()  # type: ignore[no-untyped-call]
        self.h.setOptionValue("output_flag", False)
        self.h.setOptionValue("threads", 1)
        self.h.passModel(lp)
        self.columns = np.arange(width, dtype=np.int32)
        self.known: dict[bytes, float] = {}

    def most(self, goal: Floats) -> float:
        """The greatest value of a row over all preferences that fit; infinite where nothing bounds it."""
        import highspy

        key = goal.tobytes()
        if key not in self.known:
            self.h.changeColsCost(len(goal), self.columns, goal)
            self.h.run()
            solved = self.h.getModelStatus() == highspy.HighsModelStatus.kOptimal
            value = self.h.getInfo().objective_function_value if solved else math.inf
            self.known[key] = float(value) if value < BEYOND else math.inf
        return self.known[key]

    def replacements(self) -> list[Floats]:
        """For each issue, the most that each option can bring above the tabled one."""
        fitting = self.fitting
        out = []
        for i, count in enumerate(fitting.shape):
            here = fitting.option(i, self.tabled[i])
            out.append(
                np.array([0.0 if o == self.tabled[i] else self.most(fitting.option(i, o) - here) for o in range(count)])
            )
        return out

    def ratio(self, package: Outcome) -> float:
        """How many times the tabled package's gain this one can bring."""
        assert self.none is not None, "only asked where the minimum is known"
        return max(0.0, self.most(self.fitting.row(package) - self.none))


def prove(parties: Mapping[str, Fitting], tabled: Outcome, packages: NDArray[np.int64], whole: bool) -> Proven:
    """The bound of the tabled package's regret against all `packages`; `whole`: they are all that there are."""
    seats = [_Party(fitting, tabled) for fitting in parties.values()]
    if any(s.infinite for s in seats):
        return Proven(1.0, ())
    brings = [s.replacements() for s in seats]
    if not all(np.isfinite(row).all() for seat in brings for row in seat):
        return Proven(1.0, tuple(map(tuple, _missing(brings, packages))))
    rough = np.zeros(len(packages))
    for seat in brings:
        gain = np.ones(len(packages))
        for i, row in enumerate(seat):
            gain += row[packages[:, i]]
        rough += np.log(np.maximum(gain, 1e-12))
    order = np.argsort(-rough, kind="stable")
    greatest, against = 0.0, []
    for looked, place in enumerate(order):
        if rough[place] <= greatest:
            break
        if looked >= CLOSELY:
            greatest = float(rough[place])
            break
        package = tuple(int(o) for o in packages[place])
        total = 0.0
        for party in seats:
            ratio = party.ratio(package)
            total += math.log(ratio) if ratio > 0 else -math.inf
        against.append((total, package))
        greatest = max(greatest, total)
    if not whole:
        greatest = max(greatest, _of_all(brings))
    against.sort(key=lambda a: -a[0])
    return Proven(1.0 - math.exp(-greatest), tuple(p for _, p in against))


def _of_all(brings: Sequence[Sequence[Floats]]) -> float:
    """A bound over all packages that need not be listed: a sum of logarithms is at most that of their mean."""
    count = len(brings)
    total = float(count)
    for i in range(len(brings[0])):
        total += float(sum(seat[i] for seat in brings).max())  # type: ignore[union-attr]
    return count * math.log(total / count)


def _missing(brings: Sequence[Sequence[Floats]], packages: NDArray[np.int64]) -> list[list[int]]:
    """Some packages that nothing bounds yet."""
    open_ = np.zeros(len(packages))
    for seat in brings:
        for i, row in enumerate(seat):
            open_ += ~np.isfinite(row)[packages[:, i]]
    return [[int(o) for o in packages[n]] for n in np.argsort(-open_, kind="stable")[:20]]
