# pure
"""Keeps nothing: a new parser reads each page, and the numbering of headings is its own."""
from __future__ import annotations

import re
import unicodedata
from html import escape
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

HEADING = re.compile(r"^h([1-6])$")


def slug(text: str, taken: set[str]) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    base = candidate = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "section"
    number = 1
    while candidate in taken:
        number += 1
        candidate = f"{base}-{number}"
    taken.add(candidate)
    return candidate


class Headings(HTMLParser):
    def __init__(self, deepest: int) -> None:
        super().__init__()
        self.deepest = deepest
        self.level = 0
        self.buffer: list[str] = []
        self.counters = [0] * 7
        self.slugs: set[str] = set()
        self.entries: list[tuple[int, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if (found := HEADING.match(tag)) and int(found[1]) <= self.deepest:
            self.level = int(found[1])
            self.buffer = []

    def handle_data(self, data: str) -> None:
        if self.level:
            self.buffer.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self.level and tag == f"h{self.level}":
            title = " ".join("".join(self.buffer).split())
            self.counters[self.level] += 1
            self.counters[self.level + 1:] = [0] * (6 - self.level)
            number = ".".join(str(n) for n in self.counters[1:self.level + 1] if n)
            self.entries.append((self.level, f"{number} {title}", slug(title, self.slugs)))
            self.level = 0


class Outline(GraphBusNode):
    @subscribe("/Wiki/Page")
    def on_page(self, html: str, deepest: int) -> dict[str, object]:
        parser = Headings(min(max(deepest, 1), 6))
        parser.feed(html)
        parser.close()
        items = [f'{"  " * (level - 1)}<a href="#{anchor}">{escape(title)}</a>' for level, title, anchor in parser.entries]
        return {"toc": items, "depth": max((level for level, *_ in parser.entries), default=0)}
