"""Numbers, exactly: bounds, multiples and exclusions over rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count, islice
from math import gcd
from typing import Any

from graphbus_core.contracts.inclusion.formulas.logic import Atom
from graphbus_core.contracts.values.budget import Budget, GivesUp

MAX_SCAN = 20_000  # multiples looked at before giving up


class Numbers:
    """What is known of one number. Grown by `extend`, never changed."""

    __slots__ = ("allowed", "budget", "excluded", "high", "low", "open_high", "open_low", "steps", "unsteps")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.low: Fraction | None = None
        self.high: Fraction | None = None
        self.open_low = self.open_high = False
        self.steps: tuple[Fraction, ...] = ()
        self.unsteps: tuple[Fraction, ...] = ()
        self.allowed: frozenset[Fraction] | None = None
        self.excluded: frozenset[Fraction] = frozenset()

    def extend(self, atoms: list[Atom]) -> Numbers | None:
        """With more atoms; None where that is plainly impossible."""
        made = Numbers(self.budget)
        for name in self.__slots__:
            setattr(made, name, getattr(self, name))
        for op, arg in atoms:
            if op == "in":
                made.allowed = arg if made.allowed is None else made.allowed & arg
                if not made.allowed:
                    return None
            elif op == "nin":
                made.excluded |= arg
            elif op == "mul":
                made.steps = (*made.steps, arg)
            elif op == "nmul":
                made.unsteps = (*made.unsteps, arg)
            else:
                made._bound(op, arg)
        return None if made._crossed() else made

    def _bound(self, op: str, arg: Fraction) -> None:
        """The tighter bound holds; of two equal ones, the open one."""
        if op in ("ge", "gt"):
            if self.low is None or arg > self.low or (arg == self.low and op == "gt"):
                self.low, self.open_low = arg, op == "gt"
        elif self.high is None or arg < self.high or (arg == self.high and op == "lt"):
            self.high, self.open_high = arg, op == "lt"

    def _crossed(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))

    def _fits(self, x: Fraction) -> bool:
        if self.low is not None and (x < self.low or (self.open_low and x == self.low)):
            return False
        if self.high is not None and (x > self.high or (self.open_high and x == self.high)):
            return False
        if x in self.excluded or any(not _divides(s, x) for s in self.steps):
            return False
        return not any(_divides(s, x) for s in self.unsteps)

    def solve(self) -> tuple[Any] | None:
        """A number, or None: the proof that there is none. Raises GivesUp."""
        if self.allowed is not None:
            return self._first(iter(sorted(self.allowed, key=lambda x: (abs(x), x))), finite=True)
        if self.low is not None and self.low == self.high:
            return self._first(iter([self.low]), finite=True)
        if self.steps:
            return self._multiples()
        return self._first(islice(self._between(), 400 + 4 * len(self.excluded)), finite=False)

    def _first(self, candidates: Iterator[Fraction], *, finite: bool) -> tuple[Any] | None:
        unwritable = False
        for x in candidates:
            self.budget.take()
            if self._fits(x):
                value = written(x)
                if value is not None:
                    return (value,)
                unwritable = True
        if finite and not unwritable:
            return None
        raise GivesUp("undecided", "no number of a size that can be written was found between the bounds")

    def _multiples(self) -> tuple[Any] | None:
        step = self.steps[0]
        for other in self.steps[1:]:
            step = _common(step, other)
        periods = [int(_common(step, s) / step) for s in self.unsteps]
        if 1 in periods:
            return None
        first = last = None
        if self.low is not None:
            first = -((-self.low / step).__floor__())
            first += 1 if self.open_low and first * step == self.low else 0
        if self.high is not None:
            last = (self.high / step).__floor__()
            last -= 1 if self.open_high and last * step == self.high else 0
        if first is not None and last is not None and first > last:
            return None
        size = last - first + 1 if first is not None and last is not None else None
        candidates = (k * step for k in islice(_outward(first, last), MAX_SCAN + len(self.excluded)))
        return self._first(candidates, finite=size is not None and size <= MAX_SCAN)

    def _between(self) -> Iterator[Fraction]:
        """Points of an interval with an inside: plain ones first, then ever finer ones."""
        yield from map(Fraction, (0, 1, -1, 2))
        low, high = self.low, self.high
        if low is None and high is None:
            yield Fraction(1, 2)
            low = Fraction(0)
        if low is not None and high is not None:
            yield from (low, high, Fraction(low.__floor__() + 1))
            middle, width = (low + high) / 2, (high - low) / 2
        else:
            edge = low if low is not None else high
            assert edge is not None
            sign = 1 if low is not None else -1
            yield from (edge, Fraction(edge.__floor__() + sign), edge + sign * Fraction(1, 2))
            middle, width = edge + sign, Fraction(1)
        grain = Fraction(1)
        smallest = min([width, *self.unsteps]) if self.unsteps else width
        while grain * 1000 > smallest:
            grain /= 10
        for k in count():
            yield middle + k * grain * (1 if k % 2 else -1)


def written(x: Fraction) -> int | float | None:
    """The JSON number, or None where no float says it exactly."""
    if x.denominator == 1:
        return int(x)
    try:
        value = float(x)
    except OverflowError:
        return None
    return value if value not in (float("inf"), float("-inf")) and Fraction(repr(value)) == x else None


def _divides(step: Fraction, x: Fraction) -> bool:
    return x.numerator * step.denominator % (x.denominator * step.numerator) == 0


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The least common multiple."""
    top = a.numerator * b.numerator // gcd(a.numerator, b.numerator)
    return Fraction(top, gcd(a.denominator, b.denominator))


def _outward(first: int | None, last: int | None) -> Iterator[int]:
    """The integers of a range, nearest to zero first."""
    if first is not None and first >= 0:
        yield from count(first) if last is None else range(first, last + 1)
    elif last is not None and last <= 0:
        yield from count(last, -1) if first is None else range(last, first - 1, -1)
    else:
        yield 0
        for k in count(1):
            up, down = last is None or k <= last, first is None or -k >= first
            if up:
                yield k
            if down:
                yield -k
            if not up and not down:
                return


def number_holds(op: str, arg: Any, x: Any) -> bool:
    """Whether a number satisfies an atom."""
    if op == "ge":
        return bool(x >= arg)
    if op == "gt":
        return bool(x > arg)
    if op == "le":
        return bool(x <= arg)
    if op == "lt":
        return bool(x < arg)
    if op == "in" or op == "nin":
        return (x in arg) is (op == "in")
    return bool((x / arg).denominator == 1) is (op == "mul")
