"""Whether two sentences of the same words pair them differently: `logs 30, metrics 90` is not `logs 90, metrics 30`.

Honest paraphrases move clauses about, so order alone says little. Two things are told from it: which of two numbers
goes with which word, and which side of a word like `over` something stands on. Where there is doubt, nothing is said to
be crossed. Pure functions over words in their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, product

Tokens = Callable[[str], list[str]]

_SIDES = {  # A over B: what stands on one side is preferred to, or comes before, what stands on the other
    "prefer": r"over|instead of|rather than|in place of|ahead of",
    "before": r"before",
    "after": r"after",
    "to": r"-+>|=+>|→",
}
_SIDE = "|".join(rf"(?P<{name}>(?<!\w)(?:{words})(?!\w))" for name, words in _SIDES.items())


def crossed(said: Sequence[str], found: Sequence[str]) -> bool:
    """Whether `found` gives two numbers of `said` to each other's words."""
    numbers = [(at, word) for at, word in enumerate(said) if _number(word)]
    if len(numbers) < 2:
        return False
    once, where = Counter(said), Counter(found)
    place = {word: at for at, word in enumerate(found) if where[word] == 1}

    def single(words: Sequence[str]) -> list[str]:
        return [w for w in words if once[w] == 1 and w in place and not _number(w)]

    ends = [-1, *(at for at, _ in numbers), len(said)]
    for n, ((first, a), (second, b)) in enumerate(pairwise(numbers)):
        if once[a] > 1 or once[b] > 1 or a not in place or b not in place:
            continue
        before, between, behind = (
            single(said[ends[n] + 1 : first]),
            single(said[first + 1 : second]),
            single(said[second + 1 : ends[n + 3]]),
        )
        same_way = place[a] < place[b]
        verdicts = [
            [(place[x] < place[y]) == same_way for x, y in product(left[-8:], right[-8:])]
            for left, right in ((before, between), (between, behind))
        ]
        told = [any(one) for one in verdicts if one]
        if told and not any(told) and not _beside(said, found, first, second, place):
            return True
    return False


def _beside(said: Sequence[str], found: Sequence[str], first: int, second: int, place: dict[str, int]) -> bool:
    """Whether a number is still followed by the word that followed it, and not the other: what it counts."""
    mine, other = said[first + 1 : first + 2], said[second + 1 : second + 2]
    if mine == other:
        return False
    now, then = place[said[first]] + 1, place[said[second]] + 1
    return any(after and found[at : at + 1] == after for at, after in ((now, mine), (then, other)))


def _number(word: str) -> bool:
    return any(c.isdigit() for c in word)


def turned(said: str, found: str, tokens: Tokens) -> bool:
    """Whether `found` has on the other side of `over`, `before` and the like what `said` has on this."""
    mine = _around(said, tokens)
    other = _around(found, tokens) if mine is not None else None
    if mine is None or other is None:
        return False
    (kind, left, right), (kind2, left2, right2) = mine, other
    if not left or not right:
        return False
    one, two = left[-1], right[0]
    if one == two or {kind, kind2} not in ({kind}, {"before", "after"}):
        return False
    if kind != kind2:
        return one in left2 and one not in right2 and two in right2 and two not in left2
    return one in right2 and one not in left2 and two in left2 and two not in right2


def _around(text: str, tokens: Tokens) -> tuple[str, list[str], list[str]] | None:
    """The one word of this kind in a text, and what stands before and behind it."""
    matches = list(re.finditer(_SIDE, text))
    if len(matches) != 1:
        return None
    match = matches[0]
    return str(match.lastgroup), tokens(text[: match.start()]), tokens(text[match.end() :])
