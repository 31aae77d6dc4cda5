# pure
"""The word list is indexed by length at import, and the index is only looked up in."""
import fnmatch
import re
from collections import defaultdict
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

WORDS = """
cat cot cut cart coat word ford cord gold bold told storm stern snarl
salad sugar ox at it on ace tea eat ate rain iron corn barn road
""".split()


def index(words):
    by_length = defaultdict(list)
    for w in sorted(words):
        by_length[len(w)].append(w)
    return MappingProxyType({n: tuple(ws) for n, ws in by_length.items()})


INDEX = index(WORDS)


def matches(pattern):
    rx = re.compile(fnmatch.translate(pattern))
    yield from (w for w in INDEX.get(len(pattern), ()) if rx.match(w))


class Crossword(GraphBusNode):
    limit = 5

    @subscribe("/puzzle/clue")
    def on_clue(self, pattern: str, letters: str) -> dict:
        pattern = pattern.lower()
        must = set(letters)
        found = [w for w in matches(pattern) if must <= set(w)]
        sure = [
            chars[0] if len(chars) == 1 else "?"
            for chars in (sorted(set(col)) for col in zip(*found))
        ]
        return {
            "words": found[: self.limit],
            "more": max(0, len(found) - self.limit),
            "sure": "".join(sure) if found else pattern,
        }
