# pure
"""Keeps nothing: the numbering of notes starts anew inside the function for every manuscript."""
from __future__ import annotations

import re
import textwrap
from itertools import count

from graphbus_core import GraphBusNode, subscribe

NOTE = re.compile(r"\s*\[\[(.+?)\]\]")
STYLES = {"number": str, "letter": lambda n: chr(96 + n), "star": lambda n: "*" * n}
QUOTES = ((re.compile(r'(^|[\s(])"'), r"\1“"), (re.compile(r'"'), "”"))


def typeset(text: str) -> str:
    for pattern, mark in QUOTES:
        text = pattern.sub(mark, text)
    return text.replace("--", "–")


def extract(text: str, style: str) -> tuple[str, list[str]]:
    notes: dict[str, int] = {}
    numbers = count(1)
    mark = STYLES.get(style, str)

    def replace(found: re.Match[str]) -> str:
        body = " ".join(found[1].split())
        if body not in notes:
            notes[body] = next(numbers)
        return f"({mark(notes[body])})"

    plain = NOTE.sub(replace, text)
    return plain, [f"({mark(n)}) {typeset(body)}" for body, n in notes.items()]


class Typesetter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.wrapper = textwrap.TextWrapper(width=60, subsequent_indent="    ")

    @subscribe("/Press/Manuscript")
    def on_manuscript(self, text: str, style: str) -> dict[str, object]:
        paragraphs, notes = extract(text, style)
        body = [self.wrapper.fill(typeset(p)) for p in paragraphs.split("\n\n") if p.strip()]
        return {
            "body": body,
            "notes": [line for note in notes for line in self.wrapper.wrap(note)],
            "words": sum(len(p.split()) for p in body),
        }
