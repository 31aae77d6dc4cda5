# stateful
"""The list of forbidden words is a generator, and every search eats up a part of it."""
import re

from graphbus_core import GraphBusNode, subscribe

RAW = """
damn
stupid
idiot
cheat-sheet
buy-essay
"""

FORBIDDEN = (line.strip().replace("-", " ") for line in RAW.splitlines() if line.strip())


def candidates(text):
    words = re.findall(r"[a-z]+", text.lower())
    yield from words
    yield from map(" ".join, zip(words, words[1:]))


def shout(text):
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 8 and sum(map(str.isupper, letters)) / len(letters) > 0.8


class Moderator(GraphBusNode):
    @subscribe("/Chat/Message")
    def on_message(self, author: str, text: str) -> dict:
        bad = any(c in FORBIDDEN for c in candidates(text) if len(c) > 3)
        return {"author": author, "show": not bad, "calm_down": shout(text)}
