"""Numbers, exactly: bounds, multiples and exclusions over rationals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import count, islice, product
from math import gcd
from typing import Any

from graphbus_core.contracts.inclusion.formulas import Atom
from graphbus_core.contracts.inclusion.languages import Term, TermArena
from graphbus_core.contracts.inclusion.regex import compile_pattern
from graphbus_core.contracts.validation import formats
from graphbus_core.contracts.verdict import Budget, Inconclusive

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
        extended = Numbers(self.budget)
        for name in self.__slots__:
            setattr(extended, name, getattr(self, name))
        for op, arg in atoms:
            if op == "in":
                extended.allowed = arg if extended.allowed is None else extended.allowed & arg
                if not extended.allowed:
                    return None
            elif op == "nin":
                extended.excluded |= arg
            elif op == "mul":
                extended.steps = (*extended.steps, arg)
            elif op == "nmul":
                extended.unsteps = (*extended.unsteps, arg)
            else:
                extended._narrow_bound(op, arg)
        return None if extended._is_crossed() else extended

    def _narrow_bound(self, op: str, arg: Fraction) -> None:
        """The tighter bound holds; of two equal ones, the open one."""
        if op in ("ge", "gt"):
            if self.low is None or arg > self.low or (arg == self.low and op == "gt"):
                self.low, self.open_low = arg, op == "gt"
        elif self.high is None or arg < self.high or (arg == self.high and op == "lt"):
            self.high, self.open_high = arg, op == "lt"

    def _is_crossed(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))

    def _fits(self, x: Fraction) -> bool:
        if self.low is not None and (x < self.low or (self.open_low and x == self.low)):
            return False
        if self.high is not None and (x > self.high or (self.open_high and x == self.high)):
            return False
        if x in self.excluded or any(not _is_divisor(s, x) for s in self.steps):
            return False
        return not any(_is_divisor(s, x) for s in self.unsteps)

    def solve(self) -> tuple[Any] | None:
        """A number, or None: the proof that there is none. Raises Inconclusive."""
        if self.allowed is not None:
            return self._find_first(iter(sorted(self.allowed, key=lambda x: (abs(x), x))), finite=True)
        if self.low is not None and self.low == self.high:
            return self._find_first(iter([self.low]), finite=True)
        if self.steps:
            return self._solve_multiples()
        return self._find_first(islice(self._list_candidates(), 400 + 4 * len(self.excluded)), finite=False)

    def _find_first(self, candidates: Iterator[Fraction], *, finite: bool) -> tuple[Any] | None:
        unwritable = False
        for x in candidates:
            self.budget.spend()
            if self._fits(x):
                value = convert_to_json_number(x)
                if value is not None:
                    return (value,)
                unwritable = True
        if finite and not unwritable:
            return None
        raise Inconclusive("undecided", "no number of a size that can be written was found between the bounds")

    def _solve_multiples(self) -> tuple[Any] | None:
        step = self.steps[0]
        for other in self.steps[1:]:
            step = _find_common_multiple(step, other)
        periods = [int(_find_common_multiple(step, s) / step) for s in self.unsteps]
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
        candidates = (k * step for k in islice(_count_outward(first, last), MAX_SCAN + len(self.excluded)))
        return self._find_first(candidates, finite=size is not None and size <= MAX_SCAN)

    def _list_candidates(self) -> Iterator[Fraction]:
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


def convert_to_json_number(x: Fraction) -> int | float | None:
    """The JSON number, or None where no float says it exactly."""
    if x.denominator == 1:
        return int(x)
    try:
        value = float(x)
    except OverflowError:
        return None
    return value if value not in (float("inf"), float("-inf")) and Fraction(repr(value)) == x else None


def _is_divisor(step: Fraction, x: Fraction) -> bool:
    return x.numerator * step.denominator % (x.denominator * step.numerator) == 0


def _find_common_multiple(a: Fraction, b: Fraction) -> Fraction:
    """The least common multiple."""
    top = a.numerator * b.numerator // gcd(a.numerator, b.numerator)
    return Fraction(top, gcd(a.denominator, b.denominator))


def _count_outward(first: int | None, last: int | None) -> Iterator[int]:
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


def check_number_atom(op: str, arg: Any, x: Any) -> bool:
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


# Strings: lengths, patterns as languages, exclusions, and formats by trying texts that have them.


MAX_PLAIN = 1_000_000  # characters of a text that is made only for its length


class Strings:
    """What is known of one string. Grown by `extend`, never changed."""

    __slots__ = ("allowed", "arena", "excluded", "formats", "high", "low", "patterns", "terms", "unread")

    def __init__(self, arena: TermArena) -> None:
        self.arena = arena
        self.low = 0
        self.high: int | None = None
        self.patterns: dict[str, bool] = {}
        self.terms: tuple[Term, ...] = ()
        self.unread: tuple[tuple[str, bool], ...] = ()
        self.formats: tuple[tuple[str, bool], ...] = ()
        self.allowed: frozenset[str] | None = None
        self.excluded: frozenset[str] = frozenset()

    def extend(self, atoms: list[Atom]) -> Strings | None:
        """With more atoms; None where that is plainly impossible."""
        extended = Strings(self.arena)
        for name in self.__slots__:
            setattr(extended, name, getattr(self, name))
        for op, arg in atoms:
            if op == "minlen":
                extended.low = max(extended.low, arg)
            elif op == "maxlen":
                extended.high = arg if extended.high is None else min(extended.high, arg)
            elif op in ("pat", "npat"):
                if extended.patterns.get(arg, op == "pat") is not (op == "pat"):
                    return None
                if arg not in extended.patterns:  # a pattern that is there already costs an automaton each time
                    extended.patterns = {**extended.patterns, arg: op == "pat"}
                    extended._add_pattern(arg, op == "pat")
            elif op in ("fmt", "nfmt"):
                extended.formats = (*extended.formats, (arg, op == "fmt"))
                if extended._has_format_clash():
                    return None
            elif op == "in":
                extended.allowed = arg if extended.allowed is None else extended.allowed & arg
                if not extended.allowed:
                    return None
            else:
                extended.excluded |= arg
        return None if extended.high is not None and extended.high < extended.low else extended

    def _has_format_clash(self) -> bool:
        required = [f for f, is_wanted in self.formats if is_wanted]
        return any(formats.is_within(f, g) for f in required for g, is_wanted in self.formats if not is_wanted)

    def _add_pattern(self, pattern: str, is_wanted: bool) -> None:
        try:
            term = self.arena.compile_pattern(pattern)
        except Inconclusive as e:
            if e.kind != "pattern":
                raise
            self.unread = (*self.unread, (pattern, is_wanted))
        else:
            self.terms = (*self.terms, term if is_wanted else self.arena.negate(term))

    def fits(self, text: str) -> bool:
        """Whether a text is one of them."""
        if len(text) < self.low or (self.high is not None and len(text) > self.high) or text in self.excluded:
            return False
        if self.allowed is not None and text not in self.allowed:
            return False
        if not all(formats.fits(f, text) is is_wanted for f, is_wanted in self.formats):
            return False
        if not all(self.arena.contains(t, text) for t in self.terms):
            return False
        return all(matches(p, text) is is_wanted for p, is_wanted in self.unread)

    def solve(self) -> tuple[Any] | None:
        """A string, or None: the proof that there is none. Raises Inconclusive."""
        if self.allowed is not None:
            shortest = next((t for t in sorted(self.allowed, key=lambda t: (len(t), t)) if self.fits(t)), None)
            return None if shortest is None else (shortest,)
        plain = next((t for t in self._list_plain_texts() if self.fits(t)), None)
        if plain is not None:
            return (plain,)
        if self.high == 0 and not self.terms:  # "" was tried, and there is no other
            return None
        if not self.terms and not self.formats and not self.unread:
            raise Inconclusive("undecided", f"a text of {self.low} characters is too long to be made here")
        term = self._build_term()
        if not self.formats and not self.unread:
            word = self.arena.find_shortest(term)
            return None if word is None else (word,)
        for word in self.arena.find_words(term, 6):
            if self.fits(word):
                return (word,)
        if self.arena.find_shortest(term) is None:
            return None
        what = "format" if self.formats else "pattern"
        raise Inconclusive("pattern", f"no text was found for a {what} that cannot be reasoned about")

    def _build_term(self) -> Term:
        arena = self.arena
        parts = list(self.terms)
        if self.low or self.high is not None:
            parts.append(arena.match_length(self.low, self.high))
        if self.excluded:
            parts.append(arena.negate(arena.union(arena.make_word(w) for w in sorted(self.excluded))))
        return arena.intersect(parts)

    def _list_plain_texts(self) -> Iterator[str]:
        """Texts to try before languages are searched."""
        if self.formats or self.unread:
            yield from formats.SAMPLES
        if self.terms:
            return
        if self.low > MAX_PLAIN:
            return
        yield "a" * self.low
        length = max(self.low, 1)
        if self.high is None or self.high >= length:
            yield "a" * length
            tail = min(length, 3)
            letters = "abcdefghijklmnopqrstuvwxyz0123456789"
            words = ("a" * (length - tail) + "".join(w) for w in product(letters, repeat=tail))
            yield from islice(words, len(self.excluded) + 1)
            if len(self.excluded) >= len(letters) ** tail:
                yield from (chr(c) * length for c in range(0x4E00, 0x4E01 + len(self.excluded)))


def matches(pattern: str, text: str) -> bool:
    """Whether Python finds a pattern that we cannot read ourselves. Raises Inconclusive where it cannot either."""
    try:
        return compile_pattern(pattern).search(text) is not None
    except (re.error, RecursionError):
        raise Inconclusive("pattern", f"the pattern {pattern[:80]!r} cannot be read") from None
