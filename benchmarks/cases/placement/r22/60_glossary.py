# stateful
"""A dict with __missing__ gives every new word the next number."""
import re

from graphbus_core import GraphBusNode, subscribe

WORD = re.compile(r"[a-z']+")
STOP = {"the", "on", "a", "of"}


class Vocabulary(dict):
    def __missing__(self, word: str) -> int:
        self[word] = number = len(self) + 1
        return number


def words(text: str) -> list[str]:
    return [w for w in WORD.findall(text.lower()) if w not in STOP]


class Indexer(GraphBusNode):
    vocabulary = Vocabulary()

    def encode(self, text: str) -> list[int]:
        return [self.vocabulary[word] for word in words(text)]

    @subscribe("/Sentence")
    def on_sentence(self, text: str, lang: str) -> dict[str, object]:
        codes = self.encode(text)
        return {"lang": lang.split("-")[0], "codes": codes, "checksum": sum(codes) % 97}
