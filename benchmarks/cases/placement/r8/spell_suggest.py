# pure
"""Keeps a memo of edit distances under the full key, which changes no answer."""
import re
from heapq import nsmallest

from graphbus_core import GraphBusNode, subscribe

WORDS = ("invoice", "invite", "advice", "device", "delivery", "receipt", "recipe", "address")
TOKEN = re.compile(r"[a-z]+")


def edit_distance(a: str, b: str) -> int:
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        current = [i]
        for j, cb in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (ca != cb)))
        previous = current
    return previous[-1]


class SpellSuggest(GraphBusNode):
    """Proposes corrections for unknown words."""

    MAX_MEMO = 5000

    def __init__(self) -> None:
        super().__init__()
        self._memo: dict[tuple[str, str], int] = {}

    def _distance(self, a: str, b: str) -> int:
        key = (a, b) if a <= b else (b, a)
        if key not in self._memo:
            if len(self._memo) >= self.MAX_MEMO:
                self._memo.clear()
            self._memo[key] = edit_distance(*key)
        return self._memo[key]

    def _suggest(self, word: str) -> list[str]:
        ranked = nsmallest(2, ((self._distance(word, known), known) for known in WORDS))
        return [known for distance, known in ranked if distance <= 3]

    @subscribe("/Editor/Sentence")
    def on_sentence(self, text: str) -> dict[str, list[str]]:
        tokens = TOKEN.findall(text.lower())
        return {word: self._suggest(word) for word in tokens if word not in WORDS}
