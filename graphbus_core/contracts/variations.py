"""A value, and others beside it, by its look alone: for code that is held against the code as it was.

Nothing here knows a contract or a type. Sizes go by powers of two and around the numbers that are given; numbers are
drawn small, so that what is computed from them differs; keys and texts are those that a changed source names. It needs
the standard library alone: a script loads it by its path, in the sandbox.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

MOST_ITEMS = (1 << 16) + 1
_MOST_VARIED = 2_100  # items that are each another one; beyond, they come again
_MOST_KEYS = 1_025
_MOST_DEPTH = 128
_MOST_DRAWN = 4_000  # what a drawn number is at most, mostly far below
_DRAWN_ITEMS = 97  # a prime: no period that a size would hide behind
_BESIDE_TEXT, _BESIDE_NUMBER = (None, "", "x", "X y"), (None, 0, 1, -1, 2, 1_000)
_FOR_KEYS: tuple[Any, ...] = (True, 1, 2, "x", None, "", [])

Place = tuple[Any, ...]


def list_sizes(numbers: Iterable[int] = (), most: int = MOST_ITEMS) -> list[int]:
    """How many items or characters are tried: around powers of two, and around and beyond the numbers."""
    powers = {(1 << k) + more for k in range(1, 17) for more in ((-1, 0, 1) if k < 12 else (1,))}
    named = {size for n in numbers if n > 1 for size in (n - 1, n, n + 1, 2 * n + 1)}
    return sorted(size for size in powers | named if 1 < size <= most)


def resize(value: Any, sizes: Sequence[int]) -> Iterator[Any]:
    """The value with each list, text and map in it in other sizes, the small ones first, and nested in itself."""
    places = [(place, part) for place, part in walk_parts(value) if isinstance(part, list | str | dict) and part]
    for size in sizes:
        for place, part in places:
            if isinstance(part, str):
                yield put(value, place, (part * size)[:size])
            elif isinstance(part, list):
                yield put(value, place, _draw_items(part, size, is_varied=False))
                if size <= _MOST_VARIED:
                    yield put(value, place, _draw_items(part, size, is_varied=True))
            elif size <= _MOST_KEYS:
                some = next(iter(part.values()))
                yield put(value, place, {**part, **{f"key{number}": some for number in range(size)}})
    yield from _nest(value, places)


def _nest(value: Any, places: Sequence[tuple[Place, Any]]) -> Iterator[Any]:
    """What holds others of its own keys, deeper and deeper."""
    for place, part in places:
        for inner, below in walk_parts(part):
            if inner and isinstance(part, dict) and isinstance(below, dict) and part.keys() >= below.keys():
                deep, depth = part, 1
                while depth <= _MOST_DEPTH:
                    for _ in range(depth):
                        deep = put(part, inner, deep)
                    yield put(value, place, deep)
                    depth *= 2
                break


def _draw_items(items: Sequence[Any], size: int, *, is_varied: bool) -> list[Any]:
    """So many items, their numbers drawn; `is_varied`: their texts are each another one, too."""
    drawn = random.Random(size)
    if is_varied:
        return [_draw(items[i % len(items)], drawn, f"{i}") for i in range(size)]
    some = [_draw(items[i % len(items)], drawn, "") for i in range(min(size, _DRAWN_ITEMS))]
    return [some[i % len(some)] for i in range(size)]


def draw_numbers(value: Any, seed: int) -> Any:
    """The value with another number, mostly small, wherever one stands."""
    return _draw(value, random.Random(seed), "")


def _draw(value: Any, drawn: random.Random, text: str) -> Any:
    if isinstance(value, dict):
        return {key: _draw(inner, drawn, text) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([_draw(inner, drawn, text) for inner in value])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text if text and isinstance(value, str) else value
    number = int(drawn.expovariate(1) ** 3 * 10) % _MOST_DRAWN + 1
    return number if isinstance(value, int) else number + 0.25


def vary(value: Any, texts: Sequence[str] = (), numbers: Sequence[int] = ()) -> Iterator[Any]:
    """Others that differ from the value in one place: away, none, empty, another of its kind, one that is named."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: other} for other in vary(inner, texts, numbers))
    elif isinstance(value, list | tuple):
        if value and isinstance(value, list):
            yield from ([], value[:1], [*value, value[0]], value[::-1])
        for number, inner in enumerate(value):
            for other in vary(inner, texts, numbers):
                yield type(value)([*value[:number], other, *value[number + 1 :]])
    elif isinstance(value, str):
        yield from (*_BESIDE_TEXT, *texts)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (*_BESIDE_NUMBER, *numbers)


def add_keys(value: Any, more: Mapping[str, Iterable[Any]]) -> Iterator[Any]:
    """Others that have one more key in one of their objects, with each of what it may hold."""
    for place, part in walk_parts(value):
        for key, values in more.items() if isinstance(part, dict) else ():
            if key not in part:
                yield from (put(value, place, {**part, key: other}) for other in values)


def list_any(value: Any, texts: Sequence[str], numbers: Sequence[int]) -> list[Any]:
    """What a key may hold of which nothing is known but that it stands beside a value: of each kind, what is named, and
    objects that have all that is named or stands there as a key."""
    held = [part for _, part in walk_parts(value) if isinstance(part, str)]
    maps = [dict.fromkeys((*texts, *held), inner) for inner in (1, "x")]
    return [*_FOR_KEYS, *texts, *numbers, *maps]


def walk_parts(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """The value and all that it holds, each with its place. Of a list, the first item alone: the others are like it."""
    yield place, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk_parts(inner, (*place, key))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value if isinstance(value, tuple) else value[:1]):
            yield from walk_parts(inner, (*place, number))


def put(value: Any, place: Place, part: Any) -> Any:
    """The value with another part in a place."""
    if not place:
        return part
    if isinstance(value, dict):
        return {**value, place[0]: put(value[place[0]], place[1:], part)}
    items = [*value]
    items[place[0]] = put(items[place[0]], place[1:], part)
    return type(value)(items)
