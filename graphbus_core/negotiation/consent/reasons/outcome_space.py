"""All outcomes of a decision as arrays: what each advocate gains, and who stands against whom as one number moves.

The ground of the what-ifs. One advocate's scores change along a line (a weight, or its minimum); every other package
then beats the chosen one in a range of that number that is an interval, so the answer is exact and needs no search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.scenario.scenario import (
    EPSILON,
    Forbidden,
    Limit,
    MinimumScore,
    Outcome,
    RedLine,
    Scenario,
)

# Held as a few arrays of this length: some megabytes. Above it an exact answer would need the solver.
LARGEST = 300_000  # outcomes that are held at once; beyond this nothing is computed here
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Range:
    """How far one number may move before another package wins: from `low` (at most 0) to `high`, as it is measured."""

    low: float
    high: float


class OutcomeSpace:
    """Every outcome as a column. `names`: whose gains count (those who consented); the others are left out."""

    def __init__(self, scenario: Scenario, names: tuple[str, ...]) -> None:
        self.scenario = scenario
        # Only who consented: the product of the agreement is theirs.
        self.seats = [a for a in scenario.scored if a.name in names]
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.options = np.indices(self.shape, dtype=np.int32).reshape(len(self.shape), -1)
        self.scores = np.array([self._scores(n) for n in range(len(self.seats))]).reshape(len(self.seats), -1)
        self.gains = self.scores - np.array([a.floor for a in self.seats])[:, None]
        # Minimums are left out here, because they are what moves in `wins`.
        self.free = np.ones(self.options.shape[1], dtype=np.bool_)  # crosses no red line but perhaps a minimum
        for a in scenario.advocates:
            if a.name in names:
                for line in a.red_lines:
                    if not isinstance(line.rule, MinimumScore):
                        self.free &= self._keeps(line)
        self.product = self.product_but(-1)

    def _scores(self, n: int) -> Floats:
        seat = self.seats[n]
        total = np.zeros(self.options.shape[1])
        for i, row in enumerate(seat.scores or ()):
            total += np.array(row, dtype=np.float64)[self.options[i]]
        for c in seat.conditionals:
            holds = np.ones(len(total), dtype=np.bool_)
            for i, wanted in c.when.items():
                holds &= np.isin(self.options[i], list(wanted))
            total += c.score * holds
        return total

    def _keeps(self, line: RedLine) -> NDArray[np.bool_]:
        rule = line.rule
        if isinstance(rule, Forbidden):
            crossed = np.ones(self.options.shape[1], dtype=np.bool_)
            for i, wanted in rule.combination.items():
                crossed &= np.isin(self.options[i], list(wanted))
            return ~crossed
        assert isinstance(rule, Limit), "minimums are left out"
        total = np.zeros(self.options.shape[1])
        for i in rule.issues:
            total += np.array(self.scenario.issues[i].numbers or ())[self.options[i]]
        fine = np.ones(len(total), dtype=np.bool_)
        if rule.at_most is not None:
            fine &= total <= rule.at_most + EPSILON
        if rule.at_least is not None:
            fine &= total >= rule.at_least - EPSILON
        return fine

    def place(self, outcome: Outcome) -> int:
        """The column of an outcome."""
        return int(np.ravel_multi_index(outcome, self.shape))

    def outcome(self, place: int) -> Outcome:
        """The outcome of a column."""
        return tuple(int(o) for o in np.unravel_index(place, self.shape))

    def product_but(self, left_out: int) -> Floats:
        """The product of all gains but one advocate's (-1: of all); 0 where a red line is crossed."""
        out = self.free.astype(np.float64)
        for n, gain in enumerate(self.gains):
            if n != left_out:
                # Nothing gained is nought and not negative: two losses would multiply to a gain.
                out *= np.where(gain > EPSILON, gain, 0.0)
        return out

    def best(self) -> list[int]:
        """The columns with a product, the greatest first."""
        # Stable, so that of equal products the first package in canonical order comes first, as in the choice itself.
        # Fifty
        # are more than anybody reads.
        order = np.argsort(-self.product, kind="stable")[:50]
        return [int(n) for n in order if self.product[n] > 0]

    def along_weight(self, n: int, issue: int) -> Floats:
        """By how much the gain of advocate `n` changes as its weight of the issue grows by all of itself."""
        seat = self.seats[n]
        row = np.array((seat.scores or ())[issue], dtype=np.float64)
        out: Floats = row[self.options[issue]]
        # Its floor is the least it can get, which grows with the weight. With a minimum the floor is fixed.
        return out if seat.minimum is not None else out - row.min()  # without a minimum its floor moves as well

    def wins(self, chosen: int, n: int, along: Floats) -> Range | None:
        """The range of t in which `chosen` has the greatest product, where the gains of `n` are gains + t * along.

        None: there is no such t. For each package the condition is linear in t: P'(g' + t s') >= P (g + t s), with P
        the product of the others' gains; so each package bounds t from one side.
        """
        others = self.product_but(n)
        gain = self.gains[n]
        mine, here, step = others[chosen], gain[chosen], along[chosen]
        if mine <= 0:
            return None
        rate = mine * step - others * along
        owed = others * gain - mine * here
        # One condition more: what it wins must still be a gain for itself.
        rate, owed = np.append(rate, step), np.append(owed, EPSILON * 10 - here)  # and it still gains something itself
        # Compared with the size of what was subtracted: the difference of two great numbers is never quite nought.
        flat = np.abs(rate) <= 1e-12 * (np.abs(mine * step) + np.abs(others.max() * along).max() + 1e-300)
        if (owed[flat] > 1e-9 * (abs(mine * here) + 1e-300)).any():
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            # Division by nought is expected: flat ones are left out of both bounds below.
            at = owed / rate
        low = float(at[~flat & (rate > 0)].max(initial=-np.inf))
        high = float(at[~flat & (rate < 0)].min(initial=np.inf))
        return Range(low, high) if low <= high else None
