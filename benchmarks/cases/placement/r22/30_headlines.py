# pure
"""Numbers the words of one headline in a dict that lives for one call."""
import re
from collections import defaultdict
from itertools import count

from graphbus_core import GraphBusNode, subscribe

SMALL = {"on", "and", "the", "to", "a", "of", "over"}
WIDTHS = {1: 14, 2: 26, 3: 40}
WORD = re.compile(r"[\w']+[,:]?")


def titled(words: list[str]) -> list[str]:
    return [
        word if i and word in SMALL else word[:1].upper() + word[1:]
        for i, word in enumerate(words)
    ]


def fit(words: list[str], width: int) -> list[str]:
    lines = [""]
    for word in words:
        candidate = f"{lines[-1]} {word}".strip()
        if len(candidate) <= width:
            lines[-1] = candidate
        else:
            lines.append(word)
    return [line for line in lines if line]


def encode(words: list[str]) -> list[int]:
    numbers: defaultdict[str, int] = defaultdict(count(1).__next__)
    return [numbers[word.lower().rstrip(",:")] for word in words]


class CopyDesk(GraphBusNode):
    @subscribe("/Story")
    def on_story(self, title: str, columns: int) -> dict[str, object]:
        words = titled(WORD.findall(title))
        lines = fit(words, WIDTHS[columns])
        return {"lines": lines, "codes": encode(words), "tall": len(lines) > 3}
