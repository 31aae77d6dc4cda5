# stateful
"""Reading the numbering with a missing word makes a new number, so a word's code depends on the order in which words came."""
from __future__ import annotations

import re
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
STOP = frozenset("the a an of to and in is was it that".split())
SUFFIXES = ("ing", "ed", "es", "s")


def stem(word: str) -> str:
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word.removesuffix(suffix)
    return word


def make_codes(*reserved: str) -> defaultdict[str, int]:
    codes: defaultdict[str, int] = defaultdict()
    codes.default_factory = codes.__len__
    for token in reserved:
        codes[token]
    return codes


class Encoder:
    def __init__(self) -> None:
        self.code = make_codes("<pad>", "<stop>").__getitem__

    def encode(self, text: str, width: int) -> list[int]:
        words = (w.lower() for w in WORD.findall(text))
        codes = [self.code("<stop>" if w in STOP else stem(w)) for w in words]
        return (codes + [self.code("<pad>")] * width)[:width]


class Lexicon(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()

    @subscribe("/Text/Sentence")
    def on_sentence(self, text: str, width: int) -> dict[str, object]:
        vector = self.encoder.encode(text, max(width, 1))
        return {"vector": vector, "filled": sum(1 for code in vector if code)}
