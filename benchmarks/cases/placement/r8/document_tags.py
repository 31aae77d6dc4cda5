# stateful
"""Keeps a number for each tag: the defaultdict hands out its own length to unknown keys."""
import re
import unicodedata
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

SPLIT = re.compile(r"[,;\s]+")
STOP = {"the", "a", "and", "of"}


def fold(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def words(text: str) -> list[str]:
    return [w for w in (fold(part) for part in SPLIT.split(text)) if w and w not in STOP]


def make_encoder() -> defaultdict[str, int]:
    table: defaultdict[str, int] = defaultdict()
    table.default_factory = table.__len__
    return table


class DocumentTags(GraphBusNode):
    """Turns a document's tags into the sparse vector that the ranker wants."""

    def __init__(self) -> None:
        super().__init__()
        self.encode = make_encoder().__getitem__

    @subscribe("/Documents/Tagged")
    def on_tagged(self, doc: str, tags: str) -> dict[str, object]:
        found = words(tags)
        vector: dict[int, int] = {}
        for index in map(self.encode, found):
            vector[index] = vector.get(index, 0) + 1
        return {"doc": doc, "vector": sorted(vector.items()), "size": len(found)}
