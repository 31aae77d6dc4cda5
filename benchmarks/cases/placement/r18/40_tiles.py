# pure
"""Keeps only caches of pure functions, whose answers never change."""
from __future__ import annotations

from collections import Counter
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

POINTS = {letter: value for letters, value in (
    ("AEIOULNSTR", 1), ("DG", 2), ("BCMP", 3), ("FHVWY", 4), ("K", 5), ("JX", 8), ("QZ", 10)
) for letter in letters}
LEXICON = frozenset("QUIZ QUIET TIE TIED EDIT DIET TIDE QUITE ZOO DOZE ZED JAR RAJ FJORD FORD ROD DO".split())
PREMIUM = {"2": ("letter", 2), "3": ("letter", 3), "D": ("word", 2), "T": ("word", 3)}


@lru_cache(maxsize=512)
def bag(word: str) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(word).items()))


@lru_cache(maxsize=512)
def fits(word: str, rack: str) -> bool:
    have = dict(bag(rack))
    blanks = have.get("?", 0)
    missing = sum(max(0, need - have.get(letter, 0)) for letter, need in bag(word))
    return missing <= blanks


def score(word: str, squares: str) -> int:
    total, factor = 0, 1
    for letter, square in zip(word, squares.ljust(len(word), ".")):
        kind, times = PREMIUM.get(square, ("", 1))
        total += POINTS[letter] * (times if kind == "letter" else 1)
        factor *= times if kind == "word" else 1
    return total * factor + (50 if len(word) >= 7 else 0)


class WordGame(GraphBusNode):
    @subscribe("/Game/Play")
    def on_play(self, word: str, squares: str) -> dict[str, object]:
        word = word.upper()
        if word not in LEXICON:
            return {"word": word, "valid": False}
        return {"word": word, "valid": True, "points": score(word, squares)}

    @subscribe("/Game/Hint")
    def on_hint(self, rack: str, squares: str) -> dict[str, object]:
        options = [(score(word, squares), word) for word in LEXICON if fits(word, rack.upper())]
        options.sort(key=lambda pair: (-pair[0], pair[1]))
        return {"best": [f"{word}={points}" for points, word in options[:3]]}
