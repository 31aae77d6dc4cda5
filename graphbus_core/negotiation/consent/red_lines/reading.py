"""What a red line in words excludes: all readings of the sentence, and one only where they come to the same.

A sentence is read whole or not at all. What no rule covers, and what can mean two different things, is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import product

from graphbus_core.negotiation.consent.red_lines import boxes
from graphbus_core.negotiation.consent.red_lines.actions import ACTIONS, WEEKEND, Meaning
from graphbus_core.negotiation.consent.red_lines.boxes import Packages
from graphbus_core.negotiation.consent.red_lines.chart import Chart
from graphbus_core.negotiation.consent.red_lines.grammar import GRAMMAR
from graphbus_core.negotiation.consent.red_lines.table import Table
from graphbus_core.negotiation.consent.red_lines.tokens import (
    CURRENCY,
    PERSONS,
    UNITS,
    Number,
    Period,
    split_words,
    trim,
)
from graphbus_core.negotiation.consent.scenario.model import Issue

MOST_READINGS = 200
MOST_WORDS = 80
Compare = Callable[[float, float], bool]
COMPARE: Mapping[str, Compare] = {
    "<": lambda a, b: a < b - 1e-9,
    "<=": lambda a, b: a <= b + 1e-9,
    ">": lambda a, b: a > b + 1e-9,
    ">=": lambda a, b: a >= b - 1e-9,
    "=": lambda a, b: abs(a - b) <= 1e-9,
    "from": lambda a, b: a >= b - 1e-9,
    "till": lambda a, b: a <= b + 1e-9,
}


@dataclass(frozen=True)
class Reading:
    """What came of a sentence. `excluded`: what it excludes, where it was read; `readings`: what else it could exclude.

    `unread`: the words from where it went no further, where nothing was read at all.
    """

    excluded: Packages | None
    readings: tuple[Packages, ...] = ()
    unread: str = ""


def read_sentence(text: str, issues: Sequence[Issue]) -> Reading:
    """The reading of one sentence about these issues."""
    table = _Meanings(issues)
    words = table.prepare(split_words(text))
    if not words or len(words) > MOST_WORDS or "?" in words:
        return Reading(None, (), text.strip())
    chart = Chart(GRAMMAR, ACTIONS, [table.list_kinds(words, n) for n in range(len(words))])
    found: list[Packages] = []
    try:
        for meaning in chart.read_whole("line"):
            for excluded in table.exclude(meaning):
                if not any(boxes.are_equal(excluded, other, table.shape) for other in found):
                    found.append(excluded)
    except OverflowError:
        return Reading(None, (), text.strip())
    if len(found) == 1 and boxes.complement(found[0], table.shape):
        return Reading(found[0])
    return Reading(None, tuple(found), "" if found else " ".join(words[chart.furthest :]) or text.strip())


class _Meanings(Table):
    """The sets of packages that statements exclude, and those of which conditions are true."""

    def exclude(self, meaning: Meaning) -> list[Packages]:
        """What a statement excludes: one set for each way to take it."""
        match meaning:
            case ("out", condition, *subject):
                # Who takes no 400 may mean just that, or no more, or no less either.
                ways = [p for way in _loosen(condition) for p in self.find(way, *subject)]
                if condition[0] == "both":
                    ways += self.find(condition[1], *subject)  # `not Friday and Saturday`: and Saturday instead?
                return ways
            case ("out_of", ("any", first, second, "or")):
                return [*self.find(("any", first, second)), *self.find(first)]
            case ("out_of", condition):
                return self.exclude(("out", condition))
            case ("bar", condition):
                return self.find(condition)
            case ("keep", condition, *subject):
                return self._complement_all(self.find(condition, *subject))
            case ("need", ("of", issue, inner)):
                return self.exclude(("need", inner, issue))
            case ("need", ("sum", "=", number), *subject):
                # Who needs 300 may need just that, or no less, or no more.
                bounds = [("sum", how, number) for how in ("=", "from", "till")]
                return self._complement_all([way for bound in bounds for way in self.find(bound, *subject)])
            case ("need", condition, *subject):
                return self.exclude(("keep", condition, *subject))
            case ("compare", how, first, second):
                return self._compare_issues(how, first, second)
            case ("fine", allowed):
                return self._allow(allowed)
            case ("wish",):
                return [boxes.NOTHING]
            case _:
                return self._exclude_by_two(meaning)

    def _allow(self, allowed: Meaning) -> list[Packages]:
        """What is out where something is called fine: nothing, or all beyond it."""
        match allowed:
            case ("in", *_):
                return [boxes.NOTHING]
            case ("sum", "=", number):
                ways = [self.exclude(("keep", ("sum", how, number))) for how in ("<=", ">=")]
                return [boxes.NOTHING, *ways[0], *ways[1]]
            case _:
                # `Up to 300 is fine` may say how far one goes, or only that this is no trouble.
                beyond = self.exclude(("keep", allowed))
                return beyond and [boxes.NOTHING, *beyond]

    def _exclude_by_two(self, meaning: Meaning) -> list[Packages]:
        """What two statements exclude together, or one in the cases of a condition."""
        match meaning:
            case ("all", ("fine", allowed), second) if self._share_issues(self.find(allowed), self.exclude(second)):
                return self.exclude(second)  # `300 is fine, 400 is not`: the second says where it ends
            case ("all", first, second):
                return self._combine(boxes.unite, self.exclude(first), self.exclude(second))
            case ("unless" | "when", *_):
                return self._exclude_in_cases(meaning)
            case ("either", first, second):
                return [*self.exclude(first), *self.exclude(second)]
            case ("listed", wanted, statement):
                named, ways = self.find(wanted), self.exclude(statement)
                if not self._share_issues(named, ways):
                    return []
                return [*ways, *self._combine(boxes.unite, self._complement_all(named), ways)]
            case ("fine_but", first, second):
                # `Wine is fine, but not with the cake`: with wine, no cake. `Wine is fine, but not beer`: no beer.
                return [boxes.intersect(a, b) or b for a, b in product(self.find(first), self.find(second))]
            case ("or_else", first, second) if "wish" in (first[0], second[0]) or "fine" in (first[0], second[0]):
                return []  # one side leaves all open: nobody says it for that
            case ("or_else_list", first, other):
                # `No more than 300 or it is the train`; of one issue it would be one list.
                return self._exclude_when(self.exclude(first), self._complement_all(self.find(other)))
            case ("or_else", first, second):
                return self._drop_empty(self._combine(boxes.intersect, self.exclude(first), self.exclude(second)))
        raise AssertionError(meaning)

    def _exclude_in_cases(self, meaning: Meaning) -> list[Packages]:
        """What a statement excludes where a condition is true, or where it is not."""
        match meaning:
            case ("unless", ("fine", allowed), condition):
                # `80 is fine unless visitors park for free`: then it is not.
                return self._drop_empty(self._combine(boxes.intersect, self.find(allowed), self.find(condition)))
            case ("when", ("fine", allowed), condition):
                # `The Mill is fine if it costs 100`: only then, or also then.
                rest = self._complement_all(self.find(condition))
                return rest and [boxes.NOTHING, *self._combine(boxes.intersect, self.find(allowed), rest)]
            case ("unless", statement, condition):
                rest = self._drop_empty(self._complement_all(self._drop_empty(self.find(condition))))
                return self._drop_empty(self._combine(boxes.intersect, self.exclude(statement), rest))
            case ("when", statement, condition):
                return self._exclude_when(self.exclude(statement), self.find(condition))
        raise AssertionError(meaning)

    def _drop_empty(self, ways: Sequence[Packages]) -> list[Packages]:
        """Those that hold something: nobody speaks of what cannot be."""
        return [way for way in ways if way]

    def _complement_all(self, ways: Sequence[Packages]) -> list[Packages]:
        return [boxes.complement(way, self.shape) for way in ways]

    def _exclude_when(self, statement: Sequence[Packages], cases: Sequence[Packages]) -> list[Packages]:
        """What a statement excludes in some cases, where these are about something else."""
        out = []
        for excluded, case in product(statement, cases):
            if not case or not boxes.complement(case, self.shape):
                continue
            if {i for box in excluded for i in box} & {i for box in case for i in box}:
                continue
            out.append(boxes.intersect(excluded, case))
        return out

    def _share_issues(self, allowed: Sequence[Packages], excluded: Sequence[Packages]) -> bool:
        named = {i for way in allowed for box in way for i in box}
        return bool(named & {i for way in excluded for box in way for i in box})

    def _combine(
        self, join: Callable[[Packages, Packages], Packages], first: Sequence[Packages], second: Sequence[Packages]
    ) -> list[Packages]:
        if len(first) * len(second) > MOST_READINGS:
            raise OverflowError("too many readings")
        return [join(a, b) for a, b in product(first, second)]

    def find(self, condition: Meaning, subject: int | None = None) -> list[Packages]:
        """The packages of which a condition is true: one set for each way to take it."""
        match condition:
            case ("in", issue, options):
                return [boxes.build_box(issue, options)] if subject in (None, issue) else []
            case ("of", issue, inner):
                return self.find(inner, issue) if subject in (None, issue) else []
            case ("not", inner):
                return self._complement_all(self.find(inner, subject))
            case ("any", ("sum", how, *_), ("sum", "=", *_), *_) if how != "=":
                return []  # `not fewer than 30, or 40`: of other cases
            case ("any", first, second, *_):
                return self._combine(boxes.unite, self.find(first, subject), self.find(second, subject))
            case ("having", issue):
                return self._find_zero(issue) if subject in (None, issue) else []
            case ("gratis",):
                # What costs nothing: of the one issue that is money.
                money = [i for i, units in enumerate(self.units) if units & {*CURRENCY.values()}]
                return [w for i in money if subject in (None, i) for w in self._complement_all(self._find_zero(i))]
            case ("at_once", first, second):
                return self._find_at_once(self.find(first, subject), self.find(second))
            case ("on_day", day, period):
                ways = self._combine(boxes.intersect, self.find(day, subject), self.find(period, subject))
                return self._drop_empty(ways)
            case ("both", first, second):
                return self._find_both(first, second, subject)
            case ("sum", how, *numbers):
                return self._find_numbers(how, [n[1] for n in numbers], subject)
            case ("date", how, *periods):
                return self._find_dates(how, [p[1] for p in periods], subject)
            case ("days", days) if days == WEEKEND:
                # That of evenings may begin with its Friday: asked where a Friday is among the options.
                ways = self.find(("days", (5, 6)), subject)
                late = any({"evening", "night"} & {trim(w) for w in name} for name in self.names)
                return [*ways, *self.find(("days", (4, 5, 6)), subject)] if late else ways
            case ("days", days):
                return [
                    boxes.build_box(i, [o for o, d in enumerate(row) if d.weekday() in days])
                    for i, row in enumerate(self.days)
                    if row and subject in (None, i)
                ]
        raise AssertionError(condition)

    def _find_zero(self, issue: int) -> list[Packages]:
        """What has some of an issue, where one of its options is to have none of it."""
        numbers, names = self.issues[issue].numbers, self.issues[issue].options
        none = {o for o, name in enumerate(names) if name.casefold() in ("none", "no", "nothing") or name == "0"}
        none |= {o for o, number in enumerate(numbers or ()) if number == 0}
        return [boxes.build_box(issue, set(range(len(names))) - none)] if none else []

    def _find_at_once(self, first: Sequence[Packages], second: Sequence[Packages]) -> list[Packages]:
        """What is in both, where they speak of two things: `five at ten` says nothing of one issue."""
        out = []
        for a, b in product(first, second):
            if not a or not b or not boxes.complement(a, self.shape) or not boxes.complement(b, self.shape):
                continue
            if {i for box in a for i in box} & {i for box in b for i in box}:
                continue
            out.append(boxes.intersect(a, b))
        return out

    def _find_both(self, first: Meaning, second: Meaning, subject: int | None) -> list[Packages]:
        """`A and B`: of one issue either of them; else both at once, and either of them is what some people mean."""
        a, b = self.find(first, subject), self.find(second, subject)
        out = []
        for x, y in product(a, b):
            both = boxes.intersect(x, y)
            if not both:
                out.append(boxes.unite(x, y))
            else:
                out += [both, boxes.unite(x, y)]
        return out

    def _find_numbers(self, how: str, numbers: Sequence[Number], subject: int | None) -> list[Packages]:
        # A currency or a unit is often said once: `between 200 and 300 euros`.
        unit = next((n.unit for n in reversed(numbers) if n.unit), "")
        rates = {n.rate for n in numbers if n.rate}
        exact: list[tuple[Packages, bool, bool, bool]] = []
        other: list[tuple[Packages, bool, bool, bool]] = []
        for i, issue in enumerate(self.issues):
            if issue.numbers is None or subject not in (None, i):
                continue
            if not (scale := self._find_scale(i, unit)):
                continue
            values = [n.value * scale for n in numbers]
            fits = _fit_between(values) if how == "between" else _fit_one(how, values[0])
            chosen = [o for o, value in enumerate(issue.numbers) if fits(value)]
            box = boxes.build_box(i, chosen)
            # It says something of this issue, or may be short for something else: `not less than 3` of thousands.
            tells = 0 < len(chosen) < len(issue.numbers) or max(values) < min(map(abs, issue.numbers)) / 100
            named = any(v in issue.numbers for v in values)
            tells = named and tells if how in ("from", "till") else named or tells
            is_exact = bool(unit) and (unit in self.units[i] or unit in UNITS)
            in_range = any(abs(v) <= 10 * max(map(abs, issue.numbers)) for v in values)
            (exact if is_exact else other).append((box, self._fits_rate(i, rates), in_range, tells))
        if not unit and len(near := [o for o in other if o[2]]) == 1:
            other = near  # 15,000 are no seats; 3 may stand for 3,000
        found = [(box, weight) for box, fits_rate, _, weight in exact or other if fits_rate]
        if how in ("=", "from", "till"):
            found = [(box, weight) for box, weight in found if box and (how == "=" or weight)]
        elif len(found) > 1 and any(weight for _, weight in found):
            found = [(box, weight) for box, weight in found if weight]
        return [box for box, _ in found]

    def _find_scale(self, issue: int, unit: str) -> float | None:
        """What an amount in this unit is multiplied by to be one of the issue; None where it is none of it."""
        own = self.units[issue]
        if not unit or unit in own:
            return 1.0
        if unit in UNITS:
            return next((scale for other, scale in UNITS[unit].items() if other in own), None)
        # Money may stand for an issue that names no unit at all; a week may not stand for euros.
        known = {*UNITS, *PERSONS, *CURRENCY.values(), "%", *(u for scales in UNITS.values() for u in scales)}
        return 1.0 if unit in CURRENCY.values() and not own & known else None

    def _fits_rate(self, issue: int, rates: set[str]) -> bool:
        """Whether an amount per this is one of the issue: it says so itself, or nothing else at the table counts it."""
        for rate in rates:
            alike = PERSONS if rate in PERSONS else {rate}
            if self.rates[issue] & alike or any(word.startswith(rate) for word in self.names[issue]):
                continue
            counted = any(units & alike for n, units in enumerate(self.units) if n != issue)
            if rate == "total":
                counted = len([i for i in self.issues if i.numbers is not None]) > 1
            # What is per head is no number of heads.
            if counted or self.rates[issue] or self.units[issue] & alike:
                return False
        return True

    def _find_dates(self, how: str, periods: Sequence[Period], subject: int | None) -> list[Packages]:
        low, high = periods[0][0], periods[-1][1]
        if len(periods) > 1 and (low > high or _are_apart(periods[0], periods[1])):
            return []
        ways: list[Callable[[int], bool]] = {
            "before": [lambda d: d < low],
            "after": [lambda d: d > high],
            "since": [lambda d: d >= low],
            # `By March` may end with its first day or its last: one of them, where no option lies between.
            "by": [lambda d: d <= high, lambda d: d <= (low if high - low >= 27 else high)],
            "until": [lambda d: d <= high],
            "in": [lambda d: low <= d <= high],
        }[how]
        found = [
            boxes.build_box(i, [o for o, day in enumerate(row) if fits(day.toordinal())])
            for i, row in enumerate(self.days)
            if row and subject in (None, i)
            for fits in ways
        ]
        # Nobody speaks of days that nobody offers.
        return found if how != "in" else [box for box in found if box]

    def _compare_issues(self, how: str, first: int, second: int) -> list[Packages]:
        a, b = self._list_values(first), self._list_values(second)
        if not a or not b or first == second or bool(self.days[first]) != bool(self.days[second]):
            return []
        return [
            boxes.unite(
                *(
                    boxes.intersect(
                        boxes.build_box(first, [o]),
                        boxes.build_box(second, [p for p, w in enumerate(b) if COMPARE[how](value, w)]),
                    )
                    for o, value in enumerate(a)
                )
            )
        ]

    def _list_values(self, issue: int) -> Sequence[float]:
        return self.issues[issue].numbers or [float(d.toordinal()) for d in self.days[issue]]


def _are_apart(first: Period, second: Period) -> bool:
    """Whether a day without its month, `the 1st and the 20th of April`, would be of another month."""
    days = [date.fromordinal(period[0]) for period in (first, second)]
    return "day" in (first[2], second[2]) and (days[0].year, days[0].month) != (days[1].year, days[1].month)


def _loosen(condition: Meaning) -> list[Meaning]:
    """The condition, and with its one bare number as the beginning of what is meant, or the end."""
    match condition:
        case ("sum", "=", number):
            return [("sum", how, number) for how in ("=", "from", "till")]
        case ("of", issue, inner):
            return [("of", issue, way) for way in _loosen(inner)]
        case ("at_once", first, second):
            return [("at_once", a, b) for a in _loosen(first) for b in _loosen(second)]
    return [condition]


def _fit_one(how: str, bound: float) -> Callable[[float], bool]:
    return lambda value: COMPARE[how](value, bound)


def _fit_between(values: Sequence[float]) -> Callable[[float], bool]:
    low, high = min(values), max(values)
    return lambda value: low - 1e-9 <= value <= high + 1e-9
