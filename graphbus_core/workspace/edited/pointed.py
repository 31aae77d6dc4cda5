"""What is under a cursor: the method, its contract, who feeds it and whom it feeds; of a field, why it is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.workspace.edited.live import LiveMethod, Now

WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Pointed:
    """`word` is a field's name where the cursor is on one, else empty."""

    method: LiveMethod
    word: str
    producers: tuple[LiveMethod, ...]
    consumers: tuple[LiveMethod, ...]
    text: str


def pointed(now: Now, file: str, line: int, text: str, column: int) -> Pointed | None:
    """What stands at a place of a file (line from 1, column from 0). `text` is that line's text."""
    word = next((m[0] for m in WORD.finditer(text) if m.start() <= column <= m.end()), "")
    # Methods inside methods: the innermost is the one that the cursor is in.
    own = [m for m in now.methods if m.file == file and m.line <= line <= m.end]
    inside = max(own, key=lambda m: m.line, default=None)
    named = [m for m in now.methods if m.name == word]
    # A field goes before a method of the same name: in a contract one reads of fields.
    if inside is not None and word in inside.fields:
        return _told(now, inside, word)
    # One of that name, or the one that the cursor is in: anything else would be a guess among many.
    if len(named) == 1 or (named and inside in named):
        return _told(now, inside if inside in named else named[0], "")
    if inside is not None and not named and (line == inside.line or not word):
        return _told(now, inside, "")
    return None


def _told(now: Now, method: LiveMethod, word: str) -> Pointed:
    known = {one.full: one for one in now.methods}
    # A link of a topic has the topic at its end, not a method: there is no `def` to go to.
    producers = [p for p, c in now.links if c == method.full]
    consumers = [c for p, c in now.links if p == method.full]
    lines = [f"**{method.full}**", "", f"takes `{method.takes}`  ", f"gives `{method.gives}`"]
    if word:
        lines = [f"**{word}** of {method.full}", "", *(_why(now, known, method, word) or ["No link carries it."])]
    else:
        lines += ["", *_links(now, known, method, producers, consumers)]
    return Pointed(
        method,
        word,
        tuple(known[p] for p in producers if p in known),
        tuple(known[c] for c in consumers if c in known),
        "\n".join(lines).rstrip(),
    )


def _links(
    now: Now, known: dict[str, LiveMethod], method: LiveMethod, producers: list[str], consumers: list[str]
) -> Iterator[str]:
    for way, others in (("fed by", producers), ("feeds", consumers)):
        for other in others:
            pair = (other, method.full) if way == "fed by" else (method.full, other)
            fits = " ✗ does not fit" if pair in now.broken else ""
            yield f"- {way} `{other}`{_place(known.get(other))}{fits}"


def _why(now: Now, known: dict[str, LiveMethod], method: LiveMethod, word: str) -> list[str]:
    """Why a field is here: who sends it, and who needs it."""
    told = []
    for producer, consumer in now.links:
        other = known.get(producer if consumer == method.full else consumer if producer == method.full else "")
        if other is not None:
            verb = "comes from" if consumer == method.full else "goes to"
            # That the other end lacks it is often why somebody looks.
            has = "" if word in other.fields else ", which has no such field"
            told.append(f"- {verb} `{other.full}`{_place(other)}{has}")
    return told


def _place(method: LiveMethod | None) -> str:
    return f" ({method.file}:{method.line})" if method is not None else ""
