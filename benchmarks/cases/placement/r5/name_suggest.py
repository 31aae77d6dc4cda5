# pure
"""Keeps a trie of known names, grown in the constructor; looking something up only walks it."""
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

STREETS = """castle street|castle square|chapel lane|church street|church road|mill lane|mill road
|station road|station approach|victoria road|victory close""".replace("\n", "").split("|")


class Trie:
    __slots__ = ("children", "word")

    def __init__(self) -> None:
        self.children: dict[str, Trie] = {}
        self.word: str | None = None

    def insert(self, word: str) -> None:
        node = self
        for char in word:
            node = node.children.setdefault(char, Trie())
        node.word = word

    def near(self, word: str, most: int) -> Iterator[tuple[int, str]]:
        first = list(range(len(word) + 1))
        for char, child in self.children.items():
            yield from child._walk(char, word, first, most)

    def _walk(self, char: str, word: str, above: list[int], most: int) -> Iterator[tuple[int, str]]:
        row = [above[0] + 1]
        for column, other in enumerate(word, 1):
            row.append(min(row[-1] + 1, above[column] + 1, above[column - 1] + (char != other)))
        if self.word is not None and row[-1] <= most:
            yield row[-1], self.word
        if min(row) <= most:
            for following, child in self.children.items():
                yield from child._walk(following, word, row, most)


class NameSuggest(GraphBusNode):
    """Corrects the street of an address."""

    def __init__(self) -> None:
        super().__init__()
        self._names = Trie()
        for street in STREETS:
            self._names.insert(street)

    @subscribe("/Address/Street")
    def on_street(self, typed: str) -> dict[str, object]:
        word = " ".join(typed.lower().split())
        found = sorted(self._names.near(word, 1 + len(word) // 6))
        if found and found[0][0] == 0:
            return {"street": word, "exact": True}
        return {"street": found[0][1] if found else None, "exact": False, "others": [name for _, name in found[1:3]]}
