"""What stood in a call of the tests before, for what stands there now: learnt from tests that a change rewrote.

A price of 995 cents is 9.95 now, say, and the same is sent. Two such pairs make a line (100 times as much), in exact
fractions of what is written; so every other number has a call of before, too. So has another text, where two pairs show
how texts were made: in small letters, without blanks, with the same beginning. It needs the standard library alone: a
script loads it by its path, in the sandbox.
"""

from __future__ import annotations

import ast
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

AWAY = ["away"]  # in place of a part: none
ANY_ITEM = "[]"  # in the place of a part: whichever of a list it is
DRAWN_IN_ORDER, DRAWN = 130, 110  # numbers of as many decimals as those of the tests: from the least on, and any
_MOST = 10**300  # that is written as a float
DECIMAL = ("\0made", "decimal:Decimal", (), None)  # how a call is noted that holds one, with its text
_MOST_DIGITS = 6  # of a drawn number, beside its decimals
_NUMBER = re.compile(r"-?\d{1,40}(\.\d{1,40})?(e[-+]?\d{1,2})?", re.ASCII)
_ROUNDINGS: tuple[Callable[[Fraction], int], ...] = (
    round,
    math.floor,
    math.ceil,
    math.trunc,
    lambda number: math.floor(number + Fraction(1, 2)),
)

_BLANKS: Mapping[str, Callable[[str], str]] = {
    " without blanks around it": str.strip,
    " without spaces around it": lambda text: text.strip(" "),
    " with one blank between words": lambda text: " ".join(text.split()),
}
_CASES: Mapping[str, Callable[[str], str]] = {
    "it": str,
    "it in small letters": str.lower,
    "it in capitals": str.upper,
    "it with a capital": str.capitalize,
    "it with capitals": str.title,
}
Line = tuple[Fraction, Fraction]  # what stood there is the first times what stands there, and the second
Place = tuple[Any, ...]


class Conversion:
    """What stood at one place for what stands there now (`pairs`, by how Python writes that), and for others."""

    def __init__(self, pairs: Mapping[str, Any]) -> None:
        self.pairs = dict(pairs)
        known = [(ast.literal_eval(now), old) for now, old in pairs.items()]
        self.is_number = all(read_number(now) is not None and read_number(old) is not None for now, old in known)
        self.kinds = {type(now): [pair for pair in known if type(pair[0]) is type(now)] for now, _ in known}
        self._olds = [old for _, old in known]
        self.whole = self._find_line(known)
        # Or by kind: 9.95 for 995, and 150 as ever. What has too few pairs may follow the line of another kind.
        own = {kind: self.whole or self._find_line(some) for kind, some in self.kinds.items()}
        self.lines: dict[type, Line] = {}
        for kind, some in self.kinds.items():
            fits = [line for line in (own[kind], *own.values()) if line and self._reproduces(line, some)]
            if fits:
                self.lines[kind] = fits[0]
        self.texts = {} if self.lines else _find_texts(known)

    def list_before(self, value: Any) -> tuple[Any, ...]:
        """What may have stood there: of a number between two whole ones, both. Nothing where it is not known."""
        if repr(value) in self.pairs:
            return (self.pairs[repr(value)],)
        number = read_number(value)
        if isinstance(value, str) and self.texts:
            return tuple(dict.fromkeys(old for make in self.texts.values() if (old := make(value)) is not None))
        if number is None:
            return (value,) if self.lines else ()
        line = self.lines.get(type(value), self.whole)
        return self._write(line[0] * number + line[1]) if line else ()

    def describe(self) -> str:
        """How other values are compared."""
        lines = dict.fromkeys(self.lines.values())
        if self.texts:
            return f"compared as {next(iter(self.texts))}"
        if not lines:
            return "other numbers were compared as they stand" if self.is_number else "only what they show was compared"
        return "compared as " + " or ".join(
            f"{slope} * it" + (f" + {more}" if more else "") if slope != 1 or more else "the same number"
            for slope, more in lines
        )

    def draw(self) -> Iterator[Any]:
        """Numbers of as many decimals as those of the tests: what is rounded wrongly is mostly found among some. And
        texts of the tests' own ones, in another case, with blanks, longer and shorter."""
        texts = [now for now in map(ast.literal_eval, self.pairs) if isinstance(now, str)] if self.texts else []
        for text in texts:
            yield from (
                text.lower(),
                text.upper(),
                text.swapcase(),
                text.title(),
                f" {text}",
                f"{text} ",
                f"\t{text}\n",
            )
            yield from (text + other for other in texts)
            yield from (f"{text} {texts[0]}", f"{text}  {texts[0].upper()}", text[:-1], text + text[-1:])
        for kind in self.lines:
            numbers = [number for now, _ in self.kinds[kind] if (number := read_number(now)) is not None]
            digits = max(count_decimals(number) for number in numbers)
            drawn = random.Random(digits)
            some = [*range(1, DRAWN_IN_ORDER + 1)]
            some += [drawn.randrange(1, 10 ** drawn.randint(1, digits + _MOST_DIGITS)) for _ in range(DRAWN)]
            for count in some:
                text = write_decimal(count, digits)
                yield (
                    text if kind is str else _make_decimal(text) if kind is tuple else kind(Fraction(count, 10**digits))
                )

    def _find_line(self, pairs: Sequence[tuple[Any, Any]]) -> Line | None:
        """The line that all pairs lie on, of which two at least differ."""
        points = [(read_number(now), read_number(old)) for now, old in pairs]
        known = [(now, old) for now, old in points if now is not None and old is not None]
        others = [point for point in known if point[0] != known[0][0]]
        if len(known) < len(pairs) or not others:
            return None
        (now, old), (other, old_other) = known[0], others[0]
        slope = (old_other - old) / (other - now)
        line = slope, old - slope * now
        is_line = slope and all(slope * number + line[1] == was for number, was in known)
        return line if is_line and self._reproduces(line, pairs) else None

    def _reproduces(self, line: Line, pairs: Sequence[tuple[Any, Any]]) -> bool:
        """Whether each pair is as the line says, written as it was."""
        return all(
            (number := read_number(now)) is not None and repr(old) in map(repr, self._write(line[0] * number + line[1]))
            for now, old in pairs
        )

    def _write(self, number: Fraction) -> tuple[Any, ...]:
        """A number of the kind that the tests had: one thing, or one for each way to round."""
        kinds = {type(old) for old in self._olds}
        if kinds == {tuple}:
            return (*(_make_decimal(text) for text in self._write_texts(number, [old[2][0] for old in self._olds])),)
        if kinds == {str}:
            return self._write_texts(number, self._olds)
        if float in kinds and not (int in kinds and is_whole(number)):
            return (float(number),) if abs(number) < _MOST else ()
        return (int(number),) if is_whole(number) else tuple(rounded(number) for rounded in _ROUNDINGS)

    @staticmethod
    def _write_texts(number: Fraction, olds: Sequence[str]) -> tuple[str, ...]:
        """A number as text, in each way that the tests' own ones allow."""
        decimals = {len(old.partition(".")[2]) for old in olds}
        digits = max(decimals)
        fixed = [write_decimal(rounded(number * 10**digits), digits) for rounded in _ROUNDINGS]
        plain = write_decimal(round(number * 10**digits), digits).rstrip("0").rstrip(".") if digits else fixed[0]
        shortest = plain if is_whole(number * 10**digits) else f"{number.numerator / number.denominator:f}".rstrip("0")
        return (*((shortest, *fixed) if len(decimals) > 1 else (*fixed, shortest)),)


def _make_decimal(text: str) -> Any:
    return (*DECIMAL[:2], (text,), None)


def _find_texts(pairs: Sequence[tuple[Any, Any]]) -> dict[str, Callable[[str], str | None]]:
    """In which ways each text that stands there may have become what stood there; two at least that differ."""
    texts = [pair for pair in pairs if all(isinstance(part, str) for part in pair)]
    other = [pair for pair in texts if pair[0] != pair[1]]
    if len(other) < 2 or any(pair not in texts and pair[0] != pair[1] for pair in pairs):
        return {}
    ways: list[dict[str, Callable[[str], str | None]]] = [
        {case + blanks: lambda text, cased=cased, even=even: cased(even(text)) for blanks, even in evened.items()}  # type: ignore[misc]
        for case, cased in _CASES.items()
        for evened in ({"": str}, _BLANKS)
    ]
    for some in (*ways, dict(_list_affixes(*other[0]))):
        fits = {name: make for name, make in some.items() if all(make(now) == old for now, old in texts)}
        if fits:
            return fits  # the plainest
    return {}


def _list_affixes(now: str, old: str) -> Iterator[tuple[str, Callable[[str], str | None]]]:
    """How the one text becomes the other by its beginning or its end alone."""
    if now.endswith(old) and (head := now.removesuffix(old)):
        yield f"it without {head!r} before it", lambda text: text.removeprefix(head) if text.startswith(head) else None
    if now.startswith(old) and (tail := now.removeprefix(old)):
        yield f"it without {tail!r} behind it", lambda text: text.removesuffix(tail) if text.endswith(tail) else None
    if old.endswith(now) and (more := old.removesuffix(now)):
        yield f"{more!r} and it", lambda text: more + text
    if old.startswith(now) and (end := old.removeprefix(now)):
        yield f"it and {end!r}", lambda text: text + end


class Rewritten:
    """All places of calls that the tests write otherwise, each with its conversion."""

    def __init__(self, pairs: Mapping[Place, Mapping[str, Any]]) -> None:
        self.places = {place: Conversion(some) for place, some in pairs.items()}

    def list_before(self, call: Any) -> tuple[list[Any], list[Place]]:
        """A call as the tests wrote it before: in one way, or with its numbers rounded in each way. And the places that
        hold what is not known in both ways, which stay as they are."""
        if not self.places:
            return [call], []
        name, function, arguments = call
        parts = [(place, value) for place, value in walk_places(arguments, self.places)]
        before = [self.places[general].list_before(value) for (general, _), value in parts]
        unknown = dict.fromkeys(general for ((general, _), _), some in zip(parts, before, strict=True) if not some)
        calls: dict[str, Any] = {}
        for way in range(max(map(len, before), default=1) or 1):
            chosen = {place: some[way % len(some)] for ((_, place), _), some in zip(parts, before, strict=True) if some}
            made = (name, function, put_all(arguments, chosen))
            calls[repr(made)] = made
        return list(calls.values()), list(unknown)

    def draw(self, arguments: Any, turn: int, turns: int) -> Iterator[Any]:
        """The arguments with other numbers at such places; `turn`: of how many calls that share these numbers."""
        for general, conversion in self.places.items():
            places = [place for (other, place), _ in walk_places(arguments, {general: conversion}) if other == general]
            for number, value in enumerate(list(conversion.draw())[turn::turns]):
                if places:
                    yield put_all(arguments, {places[number % len(places)]: value})

    def find_values(self, arguments: Any) -> Iterator[tuple[Place, Any]]:
        """What stands at such places and in no pair."""
        for (general, _), value in walk_places(arguments, self.places):
            if repr(value) not in self.places[general].pairs:
                yield general, value

    def is_shown(self, places: Iterable[Place]) -> bool:
        """Whether the tests show more than one value at each of some places, and no numbers: they say what they can."""
        return all(len(self.places[some].pairs) > 1 and not self.places[some].is_number for some in places)

    def name(self, places: Iterable[Place]) -> tuple[str, ...]:
        """Each place as it is named to people: `row.lines[][2]`."""
        return tuple(
            "".join(
                part if part == ANY_ITEM else f".{part}" if isinstance(part, str) else f"[{part}]" for part in some
            ).removeprefix(".")
            for some in places
        )

    def describe(self) -> str:
        """How values that no test shows are compared."""
        return "; ".join(dict.fromkeys(conversion.describe() for conversion in self.places.values()))


def walk_places(
    value: Any, wanted: Mapping[Place, Any], general: Place = (), place: Place = ()
) -> Iterator[tuple[tuple[Place, Place], Any]]:
    """The parts of a value at some places: the place with any item, the place itself, and what stands there."""
    if general in wanted:
        yield (general, place), value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from walk_places(inner, wanted, (*general, key), (*place, key))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            step = ANY_ITEM if isinstance(value, list) else number
            yield from walk_places(inner, wanted, (*general, step), (*place, number))


def put_all(value: Any, parts: Mapping[Place, Any], place: Place = ()) -> Any:
    """The value with other parts in some places; AWAY leaves a key out."""
    if place in parts:
        return parts[place]
    if isinstance(value, dict):
        wanted = {some[-1]: part for some, part in parts.items() if some[:-1] == place}
        return {
            key: put_all(value.get(key), parts, (*place, key)) for key in {**value, **wanted} if wanted.get(key) != AWAY
        }
    if isinstance(value, list | tuple):
        return type(value)([put_all(inner, parts, (*place, number)) for number, inner in enumerate(value)])
    return value


def list_leaves(now: Any, before: Any, place: Place = ()) -> Iterator[tuple[Place, Any, Any]]:
    """The parts that hold no others, each with what stands there in both; not what only one of them has."""
    if isinstance(now, dict) and isinstance(before, dict):
        for key in now.keys() & before.keys():
            yield from list_leaves(now[key], before[key], (*place, key))
    elif type(now) is type(before) and isinstance(now, list | tuple) and len(now) == len(before):
        for number, pair in enumerate(zip(now, before, strict=True)):
            yield from list_leaves(*pair, (*place, number if isinstance(now, tuple) else ANY_ITEM))
    else:
        yield place, now, before


def read_number(value: Any) -> Fraction | None:
    """A number exactly as it is written, as a text or a Decimal, too; nothing else is one."""
    if isinstance(value, tuple) and value[:2] == DECIMAL[:2] and len(value[2]) == 1:
        return read_number(value[2][0])
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    text = value if isinstance(value, str) else repr(value) if is_number else ""
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def count_decimals(number: Fraction) -> int:
    """With how many decimals a decimal number is written."""
    digits = 0
    while not is_whole(number * 10**digits):
        digits += 1
    return digits


def is_whole(number: Fraction) -> bool:
    """Whether nothing is left behind the point."""
    return number.denominator == 1


def write_decimal(count: int, digits: int) -> str:
    """So many of the last decimal, as text."""
    text = str(abs(count)).rjust(digits + 1, "0")
    whole = f"{text[:-digits]}.{text[-digits:]}" if digits else text
    return f"-{whole}" if count < 0 else whole
