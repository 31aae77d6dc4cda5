"""Slips of the pen: the one known word that a misspelt one can be."""

from __future__ import annotations

from graphbus_core.negotiation.consent.red_lines.grammar import KINDS
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
)


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
        "apiece",
        "kind",
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


def mend(word: str, known: set[str] | frozenset[str]) -> str:
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
