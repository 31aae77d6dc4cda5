"""Small text helpers."""
import re
from collections import Counter

STOPWORDS = frozenset("a an and are as at be by for from has in is it of on or that the to was with".split())
SUFFIXES = ("ations", "ation", "ingly", "ings", "ing", "edly", "ed", "ies", "es", "s")
_WORD = re.compile(r"[a-z']+")
_SENTENCE = re.compile(r"[.!?]+\s*")


def words(text: str) -> list[str]:
    return [w.strip("'") for w in _WORD.findall(text.lower()) if w.strip("'")]


def sentences(text: str) -> list[str]:
    return [s for s in _SENTENCE.split(text) if s]


def stem(word: str) -> str:
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def syllables(word: str) -> int:
    groups = re.findall(r"[aeiouy]+", word)
    count = len(groups) - (1 if word.endswith("e") and len(groups) > 1 else 0)
    return max(count, 1)


class Tally:
    """Counts stems and remembers the first form of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.forms: dict[str, str] = {}

    def feed(self, text: str) -> "Tally":
        for word in words(text):
            if word not in STOPWORDS:
                key = stem(word)
                self.counts[key] += 1
                self.forms.setdefault(key, word)
        return self

    def top(self, n: int) -> list[tuple[str, int]]:
        ranked = sorted(self.counts.items(), key=lambda kv: (-kv[1], kv[0]))
        return [(self.forms[key], count) for key, count in ranked[:n]]
