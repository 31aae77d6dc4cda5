# pure
"""Two caches, one of them bounded and emptied when full, keep only what a pure function returned; the hit counter is never shown."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

CATALOG = ("hammer", "hacksaw", "chisel", "screwdriver", "spanner", "wrench", "pliers", "mallet", "level", "clamp")


@lru_cache(maxsize=2048)
def distance(left: str, right: str) -> int:
    if not left or not right:
        return len(left) + len(right)
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


class HintCache:
    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: dict[str, tuple[str, ...]] = {}
        self._hits = 0

    def get(self, word: str) -> tuple[str, ...]:
        if word in self._known:
            self._hits += 1
            return self._known[word]
        if len(self._known) >= self._limit:
            self._known.clear()
        ranked = sorted(CATALOG, key=lambda name: (distance(word, name), name))
        self._known[word] = tuple(name for name in ranked[:3] if distance(word, name) <= 3)
        return self._known[word]


class SpellingHint(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._hints = HintCache(limit=4)

    @subscribe("/Search/Typed")
    def on_typed(self, text: str) -> dict[str, object]:
        words = text.lower().split()
        unknown = [word for word in words if word not in CATALOG]
        return {"known": len(words) - len(unknown), "hints": {word: list(self._hints.get(word)) for word in unknown}}
