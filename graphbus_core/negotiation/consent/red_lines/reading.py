"""What a red line in words excludes: all readings of the sentence, and one only where they come to the same.

A sentence is read whole or not at all. What no rule covers, and what can mean two different things, is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from graphbus_core.negotiation.consent.red_lines import boxes
from graphbus_core.negotiation.consent.red_lines.actions import ACTIONS, WEEKEND, Meaning
from graphbus_core.negotiation.consent.red_lines.boxes import Packages
from graphbus_core.negotiation.consent.red_lines.chart import Chart
from graphbus_core.negotiation.consent.red_lines.grammar import GRAMMAR, KINDS
from graphbus_core.negotiation.consent.red_lines.tokens import (
    CURRENCY,
    MONTHS,
    ONES,
    ORDINALS,
    PERSONS,
    SCALES,
    TENS,
    UNITS,
    WEEKDAYS,
    Number,
    find_amounts,
    find_names,
    find_periods,
    read_days,
    split_words,
    trim,
)
from graphbus_core.negotiation.consent.scenario.model import Issue

MOST_READINGS = 200
MOST_WORDS = 80
SIGNS = frozenset([",", ";", ".", ":", "-", "!"])
# Kinds of words that change what a sentence excludes: a part of it that holds one is never passed over.
_TURNING = (
    "NOTHING ONLY MORE LESS MOST LEAST ORLESS ORMORE LIMIT FLOOR TOOMUCH TOOLITTLE BEFORE AFTER BY TILL SINCE BETWEEN "
    "WEEKEND WORKDAY IF UNLESS EXCEPT WITHOUT ANY NEITHER BOTH EITHER ORELSE ORNOTHING"
)
_HARMLESS = frozenset(["i", "and", "or", "not", "no", "at", "to", "walk", "out"]) | {p[0] for p in KINDS["EMPTY"]}
SCOPES = frozenset(w for kind in _TURNING.split() for phrase in KINDS[kind] for w in phrase) - _HARMLESS | frozenset(
    ["else", "otherwise", "rest", "other", "others", "same", "rather"]
)
NUMBER_WORDS = frozenset({*ONES, *TENS, *SCALES})
_COMPARATIVES = "more less fewer higher lower longer shorter bigger smaller larger cheaper later earlier"
COMPARATIVES = frozenset(_COMPARATIVES.split())
Compare = Callable[[float, float], bool]
COMPARE: Mapping[str, Compare] = {
    "<": lambda a, b: a < b - 1e-9,
    "<=": lambda a, b: a <= b + 1e-9,
    ">": lambda a, b: a > b + 1e-9,
    ">=": lambda a, b: a >= b - 1e-9,
    "=": lambda a, b: abs(a - b) <= 1e-9,
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
    table = _Table(issues)
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


class _Table:
    """The issues as a sentence may name them."""

    def __init__(self, given: Sequence[Issue]) -> None:
        self.issues = issues = [_count_options(i) for i in given]
        self.shape = tuple(len(i.options) for i in issues)
        self.days = [read_days(i) for i in issues]
        self.names = [tuple(split_words(i.name.replace("_", " "))) for i in issues]
        self.choices = [
            (i, o, tuple(split_words(name)))
            for i, issue in enumerate(given)
            if issue.numbers is None and not self.days[i]
            for o, option in enumerate(issue.options)
            for name in {option, issue.meanings.get(option, "")}
            if name
        ]
        folded = [[o.strip().casefold() for o in i.options] for i in issues]
        self.answers = {
            n: row.index("yes") for n, row in enumerate(folded) if len(row) == 2 and {"yes", "no"} == set(row)
        }
        self.units, self.rates = [], []
        for issue, name in zip(issues, self.names, strict=True):
            before, per = _split_rate((*name, "/", *split_words(issue.title)))
            self.units.append({CURRENCY.get(w, trim(w)) for w in before} | ({"%"} if "%" in issue.title else set()))
            self.rates.append({trim(w) for w in per})
        self.all_units = {u for n, units in enumerate(self.units) if issues[n].numbers is not None for u in units}

    # ------------------------------------------------------------------ words

    def prepare(self, words: Sequence[str]) -> list[str]:
        """Without politeness, with slips of the pen mended where one known word alone can be meant."""
        own = {w for name in self.names for w in name} | {w for *_, name in self.choices for w in name}
        known = own | VOCABULARY | self.all_units
        trimmed = {trim(w) for w in known}
        # `then` where `than` is meant is the one slip that is a word of its own.
        words = ["than" if w == "then" and n and words[n - 1] in COMPARATIVES else w for n, w in enumerate(words)]
        # `300? Not unless …`: a question that its speaker answers.
        words = [
            "," if w == "?" and words[n + 1 : n + 2] and words[n + 1] in ("not", "no", "only", "never") else w
            for n, w in enumerate(words)
        ]
        mended = [w if w in known or trim(w) in trimmed else _mend(w, known) for w in words]
        text = re.sub(r"([,;:.-]) (?:[,;.-] )+", r"\1 ", " ".join(mended))
        return re.sub(r"^(?:[,.;:!-] |but |and )+|(?: [,.;:!-])+$", "", text).split()

    def list_kinds(self, words: Sequence[str], start: int) -> dict[str, list[tuple[int, Meaning | None]]]:
        """What of the table begins at this word."""
        kinds: dict[str, list[tuple[int, Meaning | None]]] = {
            "ISSUE": [(end, ("name", n)) for end, n in find_names(words, start, self.names)],
            "OPTION": [
                (end, ("in", self.choices[n][0], frozenset({self.choices[n][1]})))
                for end, n in find_names(words, start, [name for *_, name in self.choices])
            ],
            "NUM": _keep_longest(self._find_numbers_at(words, start)),
        }
        days = [d for row in self.days for d in row]
        if days:
            kinds["DATE"] = _keep_longest(self._find_dates_at(words, start))
            day = WEEKDAYS.get(words[start], WEEKDAYS.get(trim(words[start])))
            kinds["WEEKDAY"] = [] if day is None else [(start + 1, ("day", day))]
        # `No support act`, where that is yes or no, is about its yes.
        kinds["OPTION"] += [
            (end, ("in", n, frozenset({self.answers[n]})))
            for end, n in find_names(words, start, self.names)
            if n in self.answers
        ]
        is_named = any(kinds[kind] for kind in ("ISSUE", "OPTION"))
        for kind, ends in _find_phrases(words, start).items():
            # A word that names something of the table is never an empty one.
            if not (is_named and kind == "EMPTY"):
                kinds.setdefault(kind, []).extend((end, None) for end in ends)
        if words[start] in ("because", "since", "as", "for") and (end := self._find_end(words, start + 1)) is not None:
            kinds["REASON"] = [(end, None)]
        if (start == 0 or words[start - 1] in SIGNS) and (end := self._find_end(words, start)) is not None:
            kinds["ASIDE"] = [(end, None)]
        if start == 0 and "so" in words and self._names_nothing(words[: words.index("so")]):
            kinds.setdefault("ASIDE", []).append((words.index("so") + 1, None))
        return kinds

    def _find_numbers_at(self, words: Sequence[str], start: int) -> list[tuple[int, Meaning]]:
        """The amounts that begin here, and are not a part of a date or of a longer number."""
        if any(end > start for n in range(max(0, start - 3), start) for end, _ in self._find_dates_at(words, n)):
            return []
        if any(end > start + 1 for end, _ in self._find_dates_at(words, start)):
            return []
        found = find_amounts(words, start, self.all_units)
        if start and (words[start - 1] in NUMBER_WORDS or words[start - 1].isdigit()):
            return []  # `twelve fifty`: who knows
        return [
            (end, ("number", amount))
            for end, amount in found
            if not (end < len(words) and not amount.unit and words[end] in NUMBER_WORDS)
        ]

    def _find_dates_at(self, words: Sequence[str], start: int) -> list[tuple[int, Meaning]]:
        days = [d for row in self.days for d in row]
        return [(end, ("period", period)) for end, period in find_periods(words, start, days)] if days else []

    def _names_nothing(self, words: Sequence[str]) -> bool:
        """Whether none of these words is one of the table, a number, a date or a word that turns a meaning."""
        if SCOPES & set(words):
            return False
        days = [d for row in self.days for d in row]
        return not any(
            find_names(words, n, self.names)
            or find_names(words, n, [name for *_, name in self.choices])
            or find_amounts(words, n, set())
            or (days and find_periods(words, n, days))
            or words[n] in WEEKDAYS
            for n in range(len(words))
        )

    def _find_end(self, words: Sequence[str], start: int) -> int | None:
        """Where what is set off by signs ends, if it says nothing of the table."""
        end = next((n for n in range(start, len(words)) if words[n] in SIGNS), len(words))
        return end if end > start and self._names_nothing(words[start:end]) else None

    # ------------------------------------------------------------------ meanings

    def exclude(self, meaning: Meaning) -> list[Packages]:
        """What a statement excludes: one set for each way to take it."""
        match meaning:
            case ("out", ("sum", "=", number), *subject) | ("out", ("of", _, ("sum", "=", number)), *subject):
                # Who pays no 400 may mean just that, or no more either.
                named = [condition[1]] if (condition := meaning[1])[0] == "of" else subject
                return [p for how in ("=", ">=") for p in self.find(("sum", how, number), *named)]
            case ("out", condition, *subject):
                return self.find(condition, *subject)
            case ("keep", condition, *subject):
                return [boxes.complement(c, self.shape) for c in self.find(condition, *subject)]
            case ("need", ("of", issue, inner)):
                return self.exclude(("need", inner, issue))
            case ("need", ("sum", "=", number), *subject):
                # Who needs 300 may need just that, or no less.
                ways = [self.find(("sum", how, number), *subject) for how in ("=", ">=")]
                return [boxes.complement(c, self.shape) for way in ways for c in way]
            case ("need", condition, *subject):
                return self.exclude(("keep", condition, *subject))
            case ("all", first, second):
                return self._combine(boxes.unite, self.exclude(first), self.exclude(second))
            case ("unless", statement, condition):
                rest = [boxes.complement(c, self.shape) for c in self.find(condition)]
                return self._combine(boxes.intersect, self.exclude(statement), rest)
            case ("when", statement, condition):
                return self._combine(boxes.intersect, self.exclude(statement), self.find(condition))
            case ("fine_but", first, second):
                # `Wine is fine, but not with the cake`: no cake at all, or no cake with wine.
                pairs = product(self.find(first), self.find(second))
                return [way for a, b in pairs for way in (b, boxes.intersect(a, b) or b)]
            case ("fine", ("sum", "=", number)):
                ways = [self.exclude(("keep", ("sum", how, number))) for how in ("<=", ">=")]
                return [boxes.NOTHING, *ways[0], *ways[1]]
            case ("fine", condition):
                # `Up to 300 is fine` may say how far one goes, or only that this is no trouble.
                return [boxes.NOTHING, *self.exclude(("keep", condition))]
            case ("or_else", first, second):
                return self._combine(boxes.intersect, self.exclude(first), self.exclude(second))
            case ("compare", how, first, second):
                return self._compare_issues(how, first, second)
            case _:
                return [boxes.NOTHING]  # a wish

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
                return [boxes.complement(c, self.shape) for c in self.find(inner, subject)]
            case ("any", first, second):
                if (first[0] == "sum" and first[1] != "=") != (second[0] == "sum" and second[1] != "="):
                    return []  # `300 or the train`: nobody knows whether one takes the other's place
                return self._combine(boxes.unite, self.find(first, subject), self.find(second, subject))
            case ("at_once", ("sum", *_), ("sum", *_)):
                return []  # `5 % below 20`
            case ("at_once", first, second):
                return self._combine(boxes.intersect, self.find(first, subject), self.find(second))
            case ("both", first, second):
                return self._find_both(first, second, subject)
            case ("sum", how, *numbers):
                return self._find_numbers(how, [n[1] for n in numbers], subject)
            case ("date", how, *periods):
                return self._find_dates(how, [p[1] for p in periods], subject)
            case ("days", days) if days == WEEKEND:
                # A weekend may begin with its Friday: asked where a Friday is among the options.
                return [*self.find(("days", (5, 6)), subject), *self.find(("days", (4, 5, 6)), subject)]
            case ("days", days):
                return [
                    boxes.build_box(i, [o for o, d in enumerate(row) if d.weekday() in days])
                    for i, row in enumerate(self.days)
                    if row and subject in (None, i)
                ]
        raise AssertionError(condition)

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
        exact: list[tuple[Packages, bool, bool]] = []
        other: list[tuple[Packages, bool, bool]] = []
        for i, issue in enumerate(self.issues):
            if issue.numbers is None or subject not in (None, i):
                continue
            if not (scale := self._find_scale(i, unit)):
                continue
            values = [n.value * scale for n in numbers]
            fits = _fit_between(values) if how == "between" else _fit_one(how, values[0])
            box = boxes.build_box(i, [o for o, value in enumerate(issue.numbers) if fits(value)])
            is_exact = bool(unit) and (unit in self.units[i] or unit in UNITS)
            in_range = any(abs(v) <= 10 * max(map(abs, issue.numbers)) for v in values)
            (exact if is_exact else other).append((box, self._fits_rate(i, rates), in_range))
        if not unit and len(near := [o for o in other if o[2]]) == 1:
            other = near  # 15,000 are no seats; 3 may stand for 3,000
        return [box for box, fits_rate, _ in exact or other if fits_rate]

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
            if self.rates[issue] & alike:
                continue
            counted = any(units & alike for n, units in enumerate(self.units) if n != issue)
            if rate == "total":
                counted = len([i for i in self.issues if i.numbers is not None]) > 1
            # What is per head is no number of heads.
            if counted or self.rates[issue] or self.units[issue] & alike:
                return False
        return True

    def _find_dates(self, how: str, periods: Sequence[tuple[int, int]], subject: int | None) -> list[Packages]:
        low, high = periods[0][0], periods[-1][1]
        ways: list[Callable[[int], bool]] = {
            "before": [lambda d: d < low],
            "after": [lambda d: d > high],
            "since": [lambda d: d >= low],
            # `By March` may end with its first day or its last: one of them, where no option lies between.
            "by": [lambda d: d <= high, lambda d: d <= low],
            "until": [lambda d: d <= high],
            "in": [lambda d: low <= d <= high],
        }[how]
        return [
            boxes.build_box(i, [o for o, day in enumerate(row) if fits(day.toordinal())])
            for i, row in enumerate(self.days)
            if row and subject in (None, i)
            for fits in ways
        ]

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


def _count_options(issue: Issue) -> Issue:
    """The issue with numbers, where each option is one with the same unit: `50 lux`, `150 lux`."""
    parts = [re.fullmatch(r"(\d+(?:\.\d+)?)\s*([^\d\s]+)", o.strip()) for o in issue.options]
    if issue.numbers is not None or not all(parts) or len({p[2] for p in parts if p}) > 1:
        return issue
    unit = next(p[2] for p in parts if p)
    return replace(issue, numbers=tuple(float(p[1]) for p in parts if p), title=f"{issue.title} {unit}")


def _split_rate(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What an issue counts, and per what: the word behind each `per`."""
    per = [n + 1 for n, w in enumerate(words[:-1]) if w == "per"]
    return [w for n, w in enumerate(words) if n not in per], [words[n] for n in per]


def _find_phrases(words: Sequence[str], start: int) -> dict[str, set[int]]:
    """Where each kind of phrase that begins here ends. The longest counts, unless it adds nothing but empty words."""
    ends = {
        kind: {start + len(p) for p in phrases if tuple(words[start : start + len(p)]) == p}
        for kind, phrases in KINDS.items()
    }
    # `no more` behind a number is a phrase of its own, and elsewhere the beginning of `no more than`.
    last = max(
        (end for kind, found in ends.items() if kind not in ("ORLESS", "ORMORE") for end in found), default=start
    )
    empty = KINDS["EMPTY"]
    return {
        kind: {e for e in found if e >= last or all((w,) in empty for w in words[e:last])}
        for kind, found in ends.items()
        if found
    }


def _keep_longest(found: Sequence[tuple[int, Meaning]]) -> list[tuple[int, Meaning | None]]:
    last = max((end for end, _ in found), default=0)
    return [(end, meaning) for end, meaning in found if end == last]


def _fit_one(how: str, bound: float) -> Callable[[float], bool]:
    return lambda value: COMPARE[how](value, bound)


def _fit_between(values: Sequence[float]) -> Callable[[float], bool]:
    low, high = min(values), max(values)
    return lambda value: low - 1e-9 <= value <= high + 1e-9


# Slips of the pen.


def _list_words() -> frozenset[str]:
    words = {w for phrases in KINDS.values() for phrase in phrases for w in phrase}
    dates = {*MONTHS, *WEEKDAYS, "st", "nd", "rd", "th", "q", "end", "start", "beginning", "first", "second", "half"}
    numbers = {
        *ONES,
        *TENS,
        *SCALES,
        *ORDINALS,
        *CURRENCY,
        *UNITS,
        *PERSONS,
        "percent",
        "per",
        "cent",
        "night",
        "total",
    }
    # Words that are near to others of the grammar and mean something else.
    common = {
        "many",
        "match",
        "expect",
        "other",
        "as",
        "so",
        "because",
        "quit",
        "quite",
        "week",
        "weak",
        "form",
        "wont",
    }
    return frozenset(words | dates | numbers | common)


VOCABULARY = _list_words()


def _mend(word: str, known: set[str] | frozenset[str]) -> str:
    """The one known word that this is a slip of; the word itself where there is none, or more than one."""
    if len(word) < 4 or not word.isalpha():
        return word
    near = {k for k in known if abs(len(k) - len(word)) <= 1 and len(k) >= 4 and _is_slip(word, k)}
    return near.pop() if len(near) == 1 else word


def _is_slip(word: str, known: str) -> bool:
    """Whether a letter more or less, or two that changed places, make the difference; or a wrong one in long words."""
    if len(word) == len(known):
        differ = [n for n, (a, b) in enumerate(zip(word, known, strict=True)) if a != b]
        if len(differ) == 2 and differ[1] == differ[0] + 1:
            a, b = differ
            return word[a] == known[b] and word[b] == known[a]
        return len(differ) == 1 and len(word) >= 6
    if len(word) < 5:
        return False
    longer, shorter = (word, known) if len(word) > len(known) else (known, word)
    return any(longer[:n] + longer[n + 1 :] == shorter for n in range(len(longer)))
