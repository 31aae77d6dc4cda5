# pure
"""Keeps nothing between pages: the HTML parser lives for one event."""
from dataclasses import dataclass, field
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

HEADINGS = {f"h{level}": level for level in range(1, 7)}


@dataclass
class Heading:
    level: int
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())


class OutlineParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.headings: list[Heading] = []
        self.open: Heading | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in HEADINGS:
            self.open = Heading(HEADINGS[tag])
            self.headings.append(self.open)

    def handle_endtag(self, tag: str) -> None:
        if tag in HEADINGS:
            self.open = None

    def handle_data(self, data: str) -> None:
        if self.open is not None:
            self.open.parts.append(data)


def numbered(headings: list[Heading]) -> list[str]:
    counters = [0] * 7
    lines = []
    for heading in headings:
        counters[heading.level] += 1
        counters[heading.level + 1:] = [0] * (6 - heading.level)
        number = ".".join(str(n) for n in counters[1:heading.level + 1])
        lines.append(f"{number} {heading.text}")
    return lines


class PageOutline(GraphBusNode):
    @subscribe("/Docs/Page")
    def on_page(self, name: str, html: str) -> dict[str, object]:
        parser = OutlineParser()
        parser.feed(html)
        parser.close()
        return {"name": name, "outline": numbered(parser.headings), "open": parser.open is not None}
