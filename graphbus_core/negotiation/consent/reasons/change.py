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

from graphbus_core.negotiation.consent.optimum.deadlock import smallest_hitting_set
from graphbus_core.negotiation.consent.reasons.outcome_space import OutcomeSpace, Range
from graphbus_core.negotiation.consent.scenario.scenario import (
    Advocate,
    Forbidden,
    MinimumScore,
    Outcome,
    RedLine,
    Scenario,
    minimum_of,
)

# A change that only ties would leave the choice to the rule for ties, and then "it would win" is not true.
MARGIN = 1e-3  # a change is this share of itself greater than what makes both equal: a tie is not a victory
EVEN = 1e-6  # products that differ by less, as a share, are as great as each other
MOST_TIMES = 32.0  # several minimums together are lowered to at most so many times what they are crossed by


@dataclass(frozen=True)
class Step:
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

    steps: tuple[Step, ...]
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

    def applied(self, scenario: Scenario, part: float = 1.0) -> Scenario:
        """The scenario with the change, or with a part of it: numbers by that share, of the rest the first ones."""
        whole = [s for s in self.steps if s.kind in ("red_line", "options")]
        # A part of a change is what `verify` and the tests try: half of the smallest change must not be enough.
        gone = {o for s in whole for o in s.options}
        if part < 1:
            whole = whole[: int(len(whole) * part)]
            gone = set(sorted(gone)[: int(len(gone) * part)])
        for step in whole:
            if step.line is not None:
                scenario = _without(scenario, step.line)
        for step in self.steps:
            if step.kind == "weight":
                issue = next(n for n, i in enumerate(scenario.issues) if i.name == step.what)
                scenario = _weighted(scenario, step.advocate, issue, 1 + step.by * part)
            elif step.kind == "minimum":
                scenario = _lowered(scenario, step.advocate, -step.by * part)
        return _off_the_table(scenario, gone)


def smallest_change(scenario: Scenario, wanted: Outcome, names: Sequence[str]) -> Counterfactual | None:
    """The smallest change that makes `wanted` the greatest product of what `names` gain. None: it wins already.

    Exact where one number of one advocate is enough: every package bounds that number from one side.
    """
    names = tuple(names)
    space = OutcomeSpace(scenario, names)
    at = space.place(wanted)
    # Numbers differ in the last digits between two ways of multiplying. As great as the greatest is the greatest.
    if space.product[at] > 0 and space.product[at] >= space.product.max() * (1 - EVEN):
        return None
    steps = [
        Step("red_line", a.name, line.text, 0.0, f"{a.name} gave up its red line “{line.text}”", line)
        for a in scenario.advocates
        if a.name in names
        for line in scenario.crossed(a.name, wanted)
        if not isinstance(line.rule, MinimumScore)
    ]
    eased = scenario
    # No number moves a red line: it has to give way first, and only then can it be asked what is still missing.
    for step in steps:
        assert step.line is not None, "each of them is a red line"
        eased = _without(eased, step.line)
    space = OutcomeSpace(eased, names) if steps else space
    size = float(len(steps))
    # Giving up the lines was enough. A number beside them would not be the smallest change.
    if steps and space.product[at] > 0 and space.product[at] >= space.product.max() * (1 - EVEN):
        return Counterfactual(tuple(steps), size)
    one = _one_number(space, at)
    if one is not None:
        return Counterfactual((*steps, one[0]), size + one[1])
    # One number of one advocate cannot lift two who are below their minimums. These go together.
    short = [a for a in space.seats if a.minimum is not None and a.score(wanted) <= a.minimum]
    if len(short) > 1 and (several := _several_minimums(eased, wanted, names, short)) is not None:
        return Counterfactual((*steps, *several[0]), size + several[1])
    return _fewer_options(eased, wanted, names, steps, short)


def _one_number(space: OutcomeSpace, at: int) -> tuple[Step, float] | None:
    """The smallest change of one weight or one minimum."""
    found: list[tuple[float, Step]] = []
    for n, seat in enumerate(space.seats):
        # What it could gain at most is the unit: a point means more to who can gain ten than to who can gain a
        # thousand.
        room = max(float(space.gains[n][space.free].max(initial=0.0)), 1e-9)
        for i, row in enumerate(seat.scores or ()):
            spread = max(row) - min(row)
            # An issue that does not matter to it cannot be made to matter by a multiple of nothing.
            moved = None if spread <= 1e-9 else _nearest(space.wins(at, n, space.along_weight(n, i)), -1.0)
            if moved is not None:
                issue = space.scenario.issues[i].name
                way = "more" if moved > 0 else "less"
                text = f"{issue} mattered {abs(moved):.3g} times {way} to {seat.name} than it does now"
                if abs(moved) < 1:
                    text = f"{issue} mattered {100 * abs(moved):.3g} % {way} to {seat.name}"
                found.append((abs(moved) * spread / room, Step("weight", seat.name, issue, moved, text)))
        if seat.minimum is not None:
            moved = _nearest(space.wins(at, n, space.gains[n] * 0 + 1.0), -math.inf)
            if moved is not None:
                way = "less" if moved > 0 else "more"
                text = f"{seat.name} needed {abs(moved):.4g} points {way} than its {seat.minimum:g}"
                found.append((abs(moved) / room, Step("minimum", seat.name, "", -moved, text)))
    if not found:
        return None
    # By name where sizes are equal, or the same decision would be explained in two ways.
    size, step = min(found, key=lambda f: (f[0], f[1].advocate, f[1].what))
    return step, size


def _nearest(within: Range | None, least: float) -> float | None:
    """The number in the range that is nearest to 0, a little inside of it, in few digits; None where there is none."""
    if within is None or within.low <= 0 <= within.high:
        return None  # where nothing need change, another rule (a tie) decided: a number changes nothing
    edge = within.low if within.low > 0 else within.high
    far = within.high if within.low > 0 else within.low
    if not math.isfinite(edge) or (edge < 0 and edge * (1 + MARGIN) < least):
        return None
    # The first few digits that are far enough: people read three, and no rounding may cross the edge.
    for digits in (3, 4, 6, 9):
        value = _outwards(edge * (1 + MARGIN), digits)
        if abs(value) <= abs(far) and value >= least:
            return value
    inside = (edge + far) / 2
    return inside if inside != edge and inside >= least else None


def _outwards(value: float, digits: int) -> float:
    """To so many digits, away from 0."""
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(abs(value))))
    # A tiny amount less before rounding up: a number that is exact already must not become the next one.
    return math.copysign(math.ceil(abs(value) * scale - 1e-9) / scale, value)


def _several_minimums(
    scenario: Scenario, wanted: Outcome, names: Sequence[str], short: Sequence[Advocate]
) -> tuple[list[Step], float] | None:
    """All the minimums that the package does not reach, lowered in proportion: the least such multiple."""
    crossed = {a.name: max((a.minimum or 0.0) - a.score(wanted), 1e-6) for a in short}

    def wins(times: float) -> bool:
        lowered = scenario
        for name, by in crossed.items():
            lowered = _lowered(lowered, name, by * times)
        space = OutcomeSpace(lowered, tuple(names))
        at = space.place(wanted)
        return bool(space.product[at] > 0 and space.product[at] >= space.product.max())

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
        lowered = _outwards(by * high * (1 + MARGIN), 4)
        seat = scenario.advocate(name)
        text = f"{name} needed {lowered:.4g} points less than its {seat.minimum:g}"
        steps.append(Step("minimum", name, "", -lowered, text))
        size += lowered / max(seat.ceiling - seat.floor, 1e-9)
    return steps, size


def _fewer_options(
    scenario: Scenario, wanted: Outcome, names: Sequence[str], steps: list[Step], short: Sequence[Advocate]
) -> Counterfactual:
    """The fewest options that must be off the table so that nothing better is left (as in `optimum.deadlock`)."""
    for seat in short:
        # A quarter more than it lacks: just reaching the minimum is a product of nought.
        by = _outwards(max((seat.minimum or 0.0) - seat.score(wanted), 1e-3) * 1.25, 3)
        text = f"{seat.name} needed {by:.4g} points less than its {seat.minimum:g}"
        steps = [*steps, Step("minimum", seat.name, "", -by, text)]
        scenario = _lowered(scenario, seat.name, by)
    space = OutcomeSpace(scenario, tuple(names))
    at = space.place(wanted)
    against: list[frozenset[int]] = []
    offset = [sum(space.shape[:i]) for i in range(len(space.shape))]
    while True:
        gone = smallest_hitting_set(against)
        # On a copy, since each round starts from all packages.
        left = space.product.copy()
        for number in gone:
            issue = max(i for i, start in enumerate(offset) if start <= number)
            left[space.options[issue] == number - offset[issue]] = -1.0
        place = int(left.argmax())
        if left[place] <= left[at] * (1 + 1e-9) or place == at:
            break
        rival = space.outcome(place)
        # Any of the options in which the rival differs would take it off the table. That is a hitting set, exactly as
        # in a
        # proof of deadlock.
        against.append(frozenset(offset[i] + o for i, o in enumerate(rival) if o != wanted[i]))
    pairs = []
    for number in sorted(gone):
        issue = max(i for i, start in enumerate(offset) if start <= number)
        pairs.append((issue, number - offset[issue]))
    if pairs:
        steps = [*steps, Step("options", "", "", 0.0, _told_gone(scenario, wanted, pairs), None, tuple(pairs))]
    return Counterfactual(tuple(steps), float(len(pairs) + len(steps)))


def _told_gone(scenario: Scenario, wanted: Outcome, pairs: Sequence[tuple[int, int]]) -> str:
    """An issue at a time: the options that are gone, or the only one that is left."""
    said = []
    for i, issue in enumerate(scenario.issues):
        gone = [o for n, o in pairs if n == i]
        if gone and len(gone) == len(issue.options) - 1:
            said.append(f"{issue.name} could only be {issue.options[wanted[i]]}")
        elif gone:
            named = " and ".join(issue.options[o] for o in gone)
            said.append(f"{issue.name} {named} {'was' if len(gone) == 1 else 'were'} off the table")
    return "; and ".join(said)


def _seat(scenario: Scenario, name: str, seat: Advocate) -> Scenario:
    return replace(scenario, advocates=tuple(seat if a.name == name else a for a in scenario.advocates))


def _weighted(scenario: Scenario, name: str, issue: int, times: float) -> Scenario:
    seat = scenario.advocate(name)
    rows = tuple(tuple(v * times for v in row) if i == issue else tuple(row) for i, row in enumerate(seat.scores or ()))
    return _seat(scenario, name, replace(seat, scores=rows))


def _lowered(scenario: Scenario, name: str, by: float) -> Scenario:
    seat = scenario.advocate(name)
    least = (seat.minimum or 0.0) - by
    # The minimum stands in two places: as a number for the arithmetic, and as a red line for the vote.
    lines = tuple(
        minimum_of(name, least, line.cost) if isinstance(line.rule, MinimumScore) else line for line in seat.red_lines
    )
    return _seat(scenario, name, replace(seat, minimum=least, red_lines=lines))


def _without(scenario: Scenario, line: RedLine) -> Scenario:
    seat = scenario.advocate(line.advocate)
    return _seat(scenario, seat.name, replace(seat, red_lines=tuple(x for x in seat.red_lines if x != line)))


def _off_the_table(scenario: Scenario, gone: set[tuple[int, int]]) -> Scenario:
    """Options that are gone are forbidden: numbers of options stay what they are."""
    if not gone:
        return scenario
    rules = [Forbidden({i: frozenset({o})}) for i, o in sorted(gone)]
    seats = tuple(
        replace(a, red_lines=(*a.red_lines, *(RedLine(a.name, rule, "off the table") for rule in rules)))
        for a in scenario.advocates
    )
    return replace(scenario, advocates=seats)
