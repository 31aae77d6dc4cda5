"""The values that examples are made of: what code that reads text and numbers is known to stumble over.

Nothing here knows a contract. Texts differ in what a reader may do with them: count them (in bytes, in code units, in
characters), trim, fold or normalize them, read them as a number, a date, an address or markup, use them as a key.
Numbers stand at the edges of what machines count with. `Landmarks` are what a schema or a source names besides.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.parsing.json_schema import walk_schemas

LAST_EXACT = 2**53 - 1  # beyond it a double is no integer of its own any more (RFC 7493, 2.2)
_LAST_BMP = "\uffff"  # beyond it a character is two code units of UTF-16
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "multipleOf")

TEXTS = (
    # the usual, and what is empty in one sense or another
    *("text", "", "x", 'Ärger "7" <b>\n', "   ", "0", "A-1", "TEXT", "-./_", "😀"),
    # one key to who folds, trims or normalizes, and two to who does not
    *("a-1", " a-1", "a-1 ", "\ta-1\n", "\u00a0a\u00a0", "\ufeffa", "a\u200bb", "é", "e\u0301", "ß", "İ", "ﬁ", "Ａ"),
    # numbers, in more than one form
    *("1", "-1", "+1", "007", "1.50", "1,50", "1e3", "0x10", " 1 ", "12345678901234567890", "NaN", "Infinity", "-0"),
    # dates and times
    *("2026-01-31", "2026-02-30", "2024-02-29", "2026-01-31T12:30:00Z", "2026-01-31T00:00:00+14:00", "31.01.2026"),
    *("01/31/2026", "2026-W05", "12:30", "20260131"),
    # words of languages and formats
    *("null", "true", "false", "undefined", "None", "{}", "[]", '"', "'", "__proto__", "constructor", "toString"),
    # addresses, paths, lists, markup, places in templates
    *("a@example.org", "a@b@c", "https://example.org/a?b=c#d", "a/b", "../a", "a\\b", "a,b", "a;b", "a:b", "a|b"),
    *("a=b&c", "%41", "${a}", "{a}", "%s", "<a>", "&amp;", "a b", "a\r\nb", "a\tb", "\u2028", "\u0000", "\u007f"),
    # scripts, directions, signs, characters of several parts
    *("Ω", "Я", "日本", "אב", "١٢", "👩‍👧", "🇩🇪", "€"),
)
# One character each of one, two, three and four bytes in UTF-8; the last one has two code units in UTF-16.
WIDTHS = ("x", "é", "€", "😀")
GROWING = ("ß", "İ")  # two characters in capitals, and in small letters
NUMBERS = (
    *(1, 0, -1, 7, 100, 1_000, 2**31, LAST_EXACT, 2, 3, 10, 12, 13, 99, 101, 255, 256, 999, 1_001, 9_999, 10_000),
    *(32_767, 32_768, 65_535, 65_536, 99_999, 100_000, 999_999, 1_000_000, 2**31 - 1, 2**32, 2**32 + 1),
    *(LAST_EXACT + 1, LAST_EXACT + 2, 2**63, 10**21, -7, -100, -(2**31), -(2**31) - 1),
)
FRACTIONS = (0.5, -1.25, 1e10, 0.1, 0.29, 1.005, 1e-7, 1e21, -0.0)


@dataclass(frozen=True)
class Landmarks:
    """What a schema or a source names, and around which its reader may do another thing: numbers (bounds, sizes, as
    well as values), texts, and regular expressions."""

    numbers: frozenset[int] = frozenset()
    texts: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()

    def __or__(self, other: Landmarks) -> Landmarks:
        return Landmarks(self.numbers | other.numbers, self.texts | other.texts, self.patterns | other.patterns)


def find_landmarks(schema: Any) -> Landmarks:
    """The bounds, patterns and constants that a schema names anywhere."""
    numbers: set[int] = set()
    texts: set[str] = set()
    patterns: set[str] = set()
    for _, part in walk_schemas(schema):
        if isinstance(part, dict):
            numbers |= {int(part[key]) for key in _BOUNDS if isinstance(part.get(key), int | float)}
            patterns |= {part["pattern"]} if isinstance(part.get("pattern"), str) else set()
            constants = [part.get("const"), *(part["enum"] if isinstance(part.get("enum"), list) else ())]
            texts |= {constant for constant in constants if isinstance(constant, str)}
    return Landmarks(frozenset(numbers), frozenset(texts), frozenset(patterns))


def is_portable(payload: Any) -> bool:
    """Whether every reader of JSON counts the same in it: no integer that a double does not hold, and no character
    that is one in a language and two in another (RFC 7493)."""
    texts = (leaf for _, leaf in walk_leaves(payload) if isinstance(leaf, str))
    return not any(character > _LAST_BMP for text in texts for character in text) and not list(find_inexact(payload))


def find_inexact(payload: Any) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """The integers that a double does not hold for sure, each with its place."""
    for place, leaf in walk_leaves(payload):
        if isinstance(leaf, int) and abs(leaf) > LAST_EXACT:
            yield place, leaf


def find_no_json(payload: Any) -> str | None:
    """The first number that JSON has no form for, as Python writes it."""
    numbers = (leaf for _, leaf in walk_leaves(payload) if isinstance(leaf, float))
    return next((json.dumps(number) for number in numbers if not math.isfinite(number)), None)


def place_at(payload: Any, place: tuple[str | int, ...], value: Any) -> Any:
    """The payload with another value in a place."""
    if not place:
        return value
    copied: Any = dict(payload) if isinstance(payload, dict) else list(payload)
    copied[place[0]] = place_at(payload[place[0]], place[1:], value)
    return copied


def walk_leaves(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """The values of a payload that are neither objects nor lists, each with its place."""
    if isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from walk_leaves(inner, (*place, name))
    else:
        yield place, value
