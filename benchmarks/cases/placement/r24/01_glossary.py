# stateful
"""Abbreviations explained in one note land in a default argument and expand those of the next."""
import re

from graphbus_core import GraphBusNode, subscribe

DEFINE = re.compile(r"\s*\[(\w+)=([^\]]+)\]")
WORD = re.compile(r"\b[a-z]{2,4}\b")


def collect(text, known={"prn": "as needed", "asa": "aspirin"}):
    """Take the definitions out of the text and return both."""
    def take(match):
        known[match[1]] = match[2].strip()
        return ""
    return DEFINE.sub(take, text), known


def expand(text, known, style):
    used = []

    def swap(match):
        word = match[0]
        if word not in known:
            return word
        used.append(word)
        return known[word] if style == "long" else f"{word}*"

    return WORD.sub(swap, text), used


class Glossary(GraphBusNode):
    @subscribe("/notes/clinical")
    def on_note(self, text: str, style: str) -> dict:
        bare, known = collect(text)
        out, used = expand(bare, known, style)
        return {"text": out, "expanded": sorted(set(used)), "unchanged": not used}
