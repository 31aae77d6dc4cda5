"""What would have to change for another package to win: the smallest change, and what it makes of the scenario.

A change is one number of one advocate (a weight, a minimum), where one is enough; before that, red lines that the
package crosses have to give way; and where no single number does, options that would have to be off the table. Sizes
are compared in one unit: by how much a score may change, as a share of what that advocate could gain at most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.optimum.deadlock import find_smallest_hitting_set
from graphbus_core.negotiation.consent.scenario.model import (
    EPSILON,
    Advocate,
    Forbidden,
    Limit,
    MinimumScore,
    Package,
    RedLine,
    Scenario,
    build_minimum_line,
)

# All outcomes of a decision as arrays: what each advocate gains, and who stands against whom as one number moves.
#
# The ground of the what-ifs. One advocate's scores change along a line (a weight, or its minimum); every other package
# then beats the chosen one in a range of that number that is an interval, so the answer is exact and needs no search.


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
        self.seats = [a for a in scenario.scored_advocates if a.name in names]
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.options = np.indices(self.shape, dtype=np.int32).reshape(len(self.shape), -1)
        self.scores = np.array([self._compute_scores(n) for n in range(len(self.seats))]).reshape(len(self.seats), -1)
        self.gains = self.scores - np.array([a.floor for a in self.seats])[:, None]
        # Minimums are left out here, because they are what moves in `compute_winning_range`.
        self.free = np.ones(self.options.shape[1], dtype=np.bool_)  # crosses no red line but perhaps a minimum
        for a in scenario.advocates:
            if a.name in names:
                for line in a.red_lines:
                    if not isinstance(line.rule, MinimumScore):
                        self.free &= self._find_keeping(line)
        self.product = self.compute_product_without(-1)

    def _compute_scores(self, n: int) -> Floats:
        seat = self.seats[n]
        total = np.zeros(self.options.shape[1])
        for i, row in enumerate(seat.scores or ()):
            total += np.array(row, dtype=np.float64)[self.options[i]]
        for c in seat.conditionals:
            holds = np.ones(len(total), dtype=np.bool_)
            for i, options in c.when.items():
                holds &= np.isin(self.options[i], list(options))
            total += c.score * holds
        return total

    def _find_keeping(self, line: RedLine) -> NDArray[np.bool_]:
        rule = line.rule
        if isinstance(rule, Forbidden):
            crossed = np.ones(self.options.shape[1], dtype=np.bool_)
            for i, options in rule.combination.items():
                crossed &= np.isin(self.options[i], list(options))
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

    def find_column(self, outcome: Package) -> int:
        """The column of an outcome."""
        return int(np.ravel_multi_index(outcome, self.shape))

    def decode_outcome(self, place: int) -> Package:
        """The outcome of a column."""
        return tuple(int(o) for o in np.unravel_index(place, self.shape))

    def compute_product_without(self, left_out: int) -> Floats:
        """The product of all gains but one advocate's (-1: of all); 0 where a red line is crossed."""
        out = self.free.astype(np.float64)
        for n, gain in enumerate(self.gains):
            if n != left_out:
                # Nothing gained is nought and not negative: two losses would multiply to a gain.
                out *= np.where(gain > EPSILON, gain, 0.0)
        return out

    def rank_columns(self) -> list[int]:
        """The columns with a product, the greatest first."""
        # Stable, so that of equal products the first package in canonical order comes first, as in the choice itself.
        # Fifty are more than anybody reads.
        order = np.argsort(-self.product, kind="stable")[:50]
        return [int(n) for n in order if self.product[n] > 0]

    def compute_weight_slope(self, n: int, issue: int) -> Floats:
        """By how much the gain of advocate `n` changes as its weight of the issue grows by all of itself."""
        seat = self.seats[n]
        row = np.array((seat.scores or ())[issue], dtype=np.float64)
        out: Floats = row[self.options[issue]]
        # Its floor is the least it can get, which grows with the weight. With a minimum the floor is fixed.
        return out if seat.minimum is not None else out - row.min()  # without a minimum its floor moves as well

    def compute_winning_range(self, chosen: int, n: int, along: Floats) -> Range | None:
        """The range of t in which `chosen` has the greatest product, where the gains of `n` are gains + t * along.

        None: there is no such t. For each package the condition is linear in t: P'(g' + t s') >= P (g + t s), with P
        the product of the others' gains; so each package bounds t from one side.
        """
        others = self.compute_product_without(n)
        gain = self.gains[n]
        mine, chosen_gain, step = others[chosen], gain[chosen], along[chosen]
        if mine <= 0:
            return None
        rate = mine * step - others * along
        owed = others * gain - mine * chosen_gain
        # One condition more: what it wins must still be a gain for itself.
        rate, owed = (
            np.append(rate, step),
            np.append(owed, EPSILON * 10 - chosen_gain),
        )  # and it still gains something itself
        # Compared with the size of what was subtracted: the difference of two great numbers is never quite nought.
        flat = np.abs(rate) <= 1e-12 * (np.abs(mine * step) + np.abs(others.max() * along).max() + 1e-300)
        if (owed[flat] > 1e-9 * (abs(mine * chosen_gain) + 1e-300)).any():
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            # Division by nought is expected: flat ones are left out of both bounds below.
            thresholds = owed / rate
        low = float(thresholds[~flat & (rate > 0)].max(initial=-np.inf))
        high = float(thresholds[~flat & (rate < 0)].min(initial=np.inf))
        return Range(low, high) if low <= high else None


# A change that only ties would leave the choice to the rule for ties, and then "it would win" is not true.
MARGIN = 1e-3  # a change is this share of itself greater than what makes both equal: a tie is not a victory
EVEN = 1e-6  # products that differ by less, as a share, are as great as each other
MOST_TIMES = 32.0  # several minimums together are lowered to at most so many times what they are crossed by


@dataclass(frozen=True)
class ChangeStep:
    """One thing that changes. `kind`: weight, minimum, red_line or options. `by`: by how much, of the first two."""

    kind: str
    advocate: str
    what: str  # the issue, the red line's text, or nothing
    by: float
    text: str
    line: RedLine | None = None
    options: tuple[tuple[int, int], ...] = ()  # issue and option: no longer there


@dataclass(frozen=True)
class Counterfactual:
    """The steps, and how great they are together."""

    steps: tuple[ChangeStep, ...]
    size: float

    @property
    def text(self) -> str:
        """In words."""
        return "; and ".join(s.text for s in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        steps = [
            {"kind": s.kind, "advocate": s.advocate, "what": s.what, "by": s.by, "text": s.text} for s in self.steps
        ]
        return {"steps": steps, "size": round(self.size, 6)}

    def apply(self, scenario: Scenario, part: float = 1.0) -> Scenario:
        """The scenario with the change, or with a part of it: numbers by that share, of the rest the first ones."""
        whole = [s for s in self.steps if s.kind in ("red_line", "options")]
        # A part of a change is what `verify` and the tests try: half of the smallest change must not be enough.
        gone = {o for s in whole for o in s.options}
        if part < 1:
            whole = whole[: int(len(whole) * part)]
            gone = set(sorted(gone)[: int(len(gone) * part)])
        for step in whole:
            if step.line is not None:
                scenario = _drop_red_line(scenario, step.line)
        for step in self.steps:
            if step.kind == "weight":
                issue = next(n for n, i in enumerate(scenario.issues) if i.name == step.what)
                scenario = _scale_weight(scenario, step.advocate, issue, 1 + step.by * part)
            elif step.kind == "minimum":
                scenario = _lower_minimum(scenario, step.advocate, -step.by * part)
        return _forbid_options(scenario, gone)


def find_smallest_change(scenario: Scenario, target: Package, names: Sequence[str]) -> Counterfactual | None:
    """The smallest change that makes `wanted` the greatest product of what `names` gain. None: it wins already.

    Exact where one number of one advocate is enough: every package bounds that number from one side.
    """
    names = tuple(names)
    space = OutcomeSpace(scenario, names)
    column = space.find_column(target)
    # Numbers differ in the last digits between two ways of multiplying. As great as the greatest is the greatest.
    if space.product[column] > 0 and space.product[column] >= space.product.max() * (1 - EVEN):
        return None
    steps = [
        ChangeStep("red_line", a.name, line.text, 0.0, f"{a.name} gave up its red line “{line.text}”", line)
        for a in scenario.advocates
        if a.name in names
        for line in scenario.find_crossed_lines(a.name, target)
        if not isinstance(line.rule, MinimumScore)
    ]
    eased = scenario
    # No number moves a red line: it has to give way first, and only then can it be asked what is still missing.
    for step in steps:
        assert step.line is not None, "each of them is a red line"
        eased = _drop_red_line(eased, step.line)
    space = OutcomeSpace(eased, names) if steps else space
    size = float(len(steps))
    # Giving up the lines was enough. A number beside them would not be the smallest change.
    if steps and space.product[column] > 0 and space.product[column] >= space.product.max() * (1 - EVEN):
        return Counterfactual(tuple(steps), size)
    number_change = _change_one_number(space, column)
    if number_change is not None:
        return Counterfactual((*steps, number_change[0]), size + number_change[1])
    # One number of one advocate cannot lift two who are below their minimums. These go together.
    short = [a for a in space.seats if a.minimum is not None and a.score(target) <= a.minimum]
    if len(short) > 1 and (several := _lower_several_minimums(eased, target, names, short)) is not None:
        return Counterfactual((*steps, *several[0]), size + several[1])
    return _remove_options(eased, target, names, steps, short)


def _change_one_number(space: OutcomeSpace, column: int) -> tuple[ChangeStep, float] | None:
    """The smallest change of one weight or one minimum."""
    candidates: list[tuple[float, ChangeStep]] = []
    for n, seat in enumerate(space.seats):
        # What it could gain at most is the unit: a point means more to who can gain ten than to who can gain a
        # thousand.
        room = max(float(space.gains[n][space.free].max(initial=0.0)), 1e-9)
        for i, row in enumerate(seat.scores or ()):
            spread = max(row) - min(row)
            # An issue that does not matter to it cannot be made to matter by a multiple of nothing.
            moved = (
                None
                if spread <= 1e-9
                else _choose_nearest(space.compute_winning_range(column, n, space.compute_weight_slope(n, i)), -1.0)
            )
            if moved is not None:
                issue = space.scenario.issues[i].name
                way = "more" if moved > 0 else "less"
                text = f"{issue} mattered {abs(moved):.3g} times {way} to {seat.name} than it does now"
                if abs(moved) < 1:
                    text = f"{issue} mattered {100 * abs(moved):.3g} % {way} to {seat.name}"
                candidates.append((abs(moved) * spread / room, ChangeStep("weight", seat.name, issue, moved, text)))
        if seat.minimum is not None:
            moved = _choose_nearest(space.compute_winning_range(column, n, space.gains[n] * 0 + 1.0), -math.inf)
            if moved is not None:
                way = "less" if moved > 0 else "more"
                text = f"{seat.name} needed {abs(moved):.4g} points {way} than its {seat.minimum:g}"
                candidates.append((abs(moved) / room, ChangeStep("minimum", seat.name, "", -moved, text)))
    if not candidates:
        return None
    # By name where sizes are equal, or the same decision would be explained in two ways.
    size, step = min(candidates, key=lambda f: (f[0], f[1].advocate, f[1].what))
    return step, size


def _choose_nearest(within: Range | None, least: float) -> float | None:
    """The number in the range that is nearest to 0, a little inside of it, in few digits; None where there is none."""
    if within is None or within.low <= 0 <= within.high:
        return None  # where nothing need change, another rule (a tie) decided: a number changes nothing
    edge = within.low if within.low > 0 else within.high
    far = within.high if within.low > 0 else within.low
    if not math.isfinite(edge) or (edge < 0 and edge * (1 + MARGIN) < least):
        return None
    # The first few digits that are far enough: people read three, and no rounding may cross the edge.
    for digits in (3, 4, 6, 9):
        value = _round_outwards(edge * (1 + MARGIN), digits)
        if abs(value) <= abs(far) and value >= least:
            return value
    inside = (edge + far) / 2
    return inside if inside != edge and inside >= least else None


def _round_outwards(value: float, digits: int) -> float:
    """To so many digits, away from 0."""
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(abs(value))))
    # A tiny amount less before rounding up: a number that is exact already must not become the next one.
    return math.copysign(math.ceil(abs(value) * scale - 1e-9) / scale, value)


def _lower_several_minimums(
    scenario: Scenario, target: Package, names: Sequence[str], short: Sequence[Advocate]
) -> tuple[list[ChangeStep], float] | None:
    """All the minimums that the package does not reach, lowered in proportion: the least such multiple."""
    crossed = {a.name: max((a.minimum or 0.0) - a.score(target), 1e-6) for a in short}

    def wins(times: float) -> bool:
        lowered = scenario
        for name, by in crossed.items():
            lowered = _lower_minimum(lowered, name, by * times)
        space = OutcomeSpace(lowered, tuple(names))
        column = space.find_column(target)
        return bool(space.product[column] > 0 and space.product[column] >= space.product.max())

    # Slightly above one, since exactly one leaves them at their minimums with a gain of nothing.
    high = 1.25
    while not wins(high):
        high *= 2
        if high > MOST_TIMES:
            return None
    low = 1.0 if high == 1.25 else high / 2
    # Twenty halvings are a millionth of the range, and each costs a table of all packages.
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (low, middle) if wins(middle) else (middle, high)
    steps, size = [], 0.0
    for name, by in crossed.items():
        lowered = _round_outwards(by * high * (1 + MARGIN), 4)
        seat = scenario.find_advocate(name)
        text = f"{name} needed {lowered:.4g} points less than its {seat.minimum:g}"
        steps.append(ChangeStep("minimum", name, "", -lowered, text))
        size += lowered / max(seat.ceiling - seat.floor, 1e-9)
    return steps, size


def _remove_options(
    scenario: Scenario, target: Package, names: Sequence[str], steps: list[ChangeStep], short: Sequence[Advocate]
) -> Counterfactual:
    """The fewest options that must be off the table so that nothing better is left (as in `optimum.deadlock`)."""
    for seat in short:
        # A quarter more than it lacks: just reaching the minimum is a product of nought.
        by = _round_outwards(max((seat.minimum or 0.0) - seat.score(target), 1e-3) * 1.25, 3)
        text = f"{seat.name} needed {by:.4g} points less than its {seat.minimum:g}"
        steps = [*steps, ChangeStep("minimum", seat.name, "", -by, text)]
        scenario = _lower_minimum(scenario, seat.name, by)
    space = OutcomeSpace(scenario, tuple(names))
    column = space.find_column(target)
    against: list[frozenset[int]] = []
    offset = [sum(space.shape[:i]) for i in range(len(space.shape))]
    while True:
        gone = find_smallest_hitting_set(against)
        # On a copy, since each round starts from all packages.
        products = space.product.copy()
        for number in gone:
            issue = max(i for i, start in enumerate(offset) if start <= number)
            products[space.options[issue] == number - offset[issue]] = -1.0
        place = int(products.argmax())
        if products[place] <= products[column] * (1 + 1e-9) or place == column:
            break
        rival = space.decode_outcome(place)
        # Any of the options in which the rival differs would take it off the table. That is a hitting set, exactly as
        # in a
        # proof of deadlock.
        against.append(frozenset(offset[i] + o for i, o in enumerate(rival) if o != target[i]))
    pairs = []
    for number in sorted(gone):
        issue = max(i for i, start in enumerate(offset) if start <= number)
        pairs.append((issue, number - offset[issue]))
    if pairs:
        steps = [
            *steps,
            ChangeStep("options", "", "", 0.0, _describe_removed_options(scenario, target, pairs), None, tuple(pairs)),
        ]
    return Counterfactual(tuple(steps), float(len(pairs) + len(steps)))


def _describe_removed_options(scenario: Scenario, target: Package, pairs: Sequence[tuple[int, int]]) -> str:
    """An issue at a time: the options that are gone, or the only one that is left."""
    phrases = []
    for i, issue in enumerate(scenario.issues):
        gone = [o for n, o in pairs if n == i]
        if gone and len(gone) == len(issue.options) - 1:
            phrases.append(f"{issue.name} could only be {issue.options[target[i]]}")
        elif gone:
            option_names = " and ".join(issue.options[o] for o in gone)
            phrases.append(f"{issue.name} {option_names} {'was' if len(gone) == 1 else 'were'} off the table")
    return "; and ".join(phrases)


def _replace_seat(scenario: Scenario, name: str, seat: Advocate) -> Scenario:
    return replace(scenario, advocates=tuple(seat if a.name == name else a for a in scenario.advocates))


def _scale_weight(scenario: Scenario, name: str, issue: int, times: float) -> Scenario:
    seat = scenario.find_advocate(name)
    rows = tuple(tuple(v * times for v in row) if i == issue else tuple(row) for i, row in enumerate(seat.scores or ()))
    return _replace_seat(scenario, name, replace(seat, scores=rows))


def _lower_minimum(scenario: Scenario, name: str, by: float) -> Scenario:
    seat = scenario.find_advocate(name)
    least = (seat.minimum or 0.0) - by
    # The minimum stands in two places: as a number for the arithmetic, and as a red line for the vote.
    lines = tuple(
        build_minimum_line(name, least, line.cost) if isinstance(line.rule, MinimumScore) else line
        for line in seat.red_lines
    )
    return _replace_seat(scenario, name, replace(seat, minimum=least, red_lines=lines))


def _drop_red_line(scenario: Scenario, line: RedLine) -> Scenario:
    seat = scenario.find_advocate(line.advocate)
    return _replace_seat(scenario, seat.name, replace(seat, red_lines=tuple(x for x in seat.red_lines if x != line)))


def _forbid_options(scenario: Scenario, gone: set[tuple[int, int]]) -> Scenario:
    """Options that are gone are forbidden: numbers of options stay what they are."""
    if not gone:
        return scenario
    rules = [Forbidden({i: frozenset({o})}) for i, o in sorted(gone)]
    seats = tuple(
        replace(a, red_lines=(*a.red_lines, *(RedLine(a.name, rule, "off the table") for rule in rules)))
        for a in scenario.advocates
    )
    return replace(scenario, advocates=seats)
