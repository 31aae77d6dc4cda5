# stateful
"""The vocabulary numbers a word when it first meets it, through the default factory of a dict."""
import re
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
STOP = frozenset("the a an of and or to in".split())


SUFFIXES = [
    ("ies", "y"),
    ("sses", "ss"),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
]
IRREGULAR = {"sat": "sit", "bit": "bite", "mice": "mouse", "went": "go"}


def has_vowel(text: str) -> bool:
    return any(c in "aeiouy" for c in text)


def stem(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    for suffix, ending in SUFFIXES:
        root = word.removesuffix(suffix)
        if root != word and len(root) > 2 and has_vowel(root):
            return root + ending
    return word


def vocabulary(*reserved: str) -> defaultdict[str, int]:
    table: defaultdict[str, int] = defaultdict()
    table.default_factory = table.__len__
    for word in reserved:
        table[word]
    return table


def words(text: str) -> list[str]:
    return [stem(w) for w in WORD.findall(text.lower()) if w not in STOP]


class Encoder(GraphBusNode):
    """Encodes sentences for the classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.ids = vocabulary("<pad>", "<num>")
        self.width = 8

    def _encode(self, word: str) -> int:
        return self.ids["<num>"] if word.isdigit() else self.ids[word]

    @subscribe("/text/sentence")
    def on_sentence(self, text: str) -> dict[str, list[int]]:
        codes = [self._encode(word) for word in words(text)][: self.width]
        padding = [self.ids["<pad>"]] * (self.width - len(codes))
        return {"codes": codes + padding}
