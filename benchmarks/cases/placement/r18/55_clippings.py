# stateful
"""The parser is not reset between pages, so a tag left open on one page colours the text of the next."""
from __future__ import annotations

from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

SKIP = frozenset({"script", "style", "nav"})
VOID = frozenset({"br", "img", "hr", "meta", "input"})


class Extractor(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open_tags: list[str] = []
        self.words: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open_tags.append(tag)
        if tag == "a":
            self.links.extend(value for name, value in attrs if name == "href" and value)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open_tags:
            while self.open_tags.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not SKIP.intersection(self.open_tags):
            self.words += data.split()

    def read(self, page: str) -> tuple[list[str], list[str]]:
        self.words, self.links = [], []
        self.feed(page)
        return self.words, self.links


class Clippings(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.extractor = Extractor()

    @subscribe("/Press/Page")
    def on_page(self, url: str, html: str) -> dict[str, object]:
        words, links = self.extractor.read(html)
        teaser = " ".join(words[:12])
        return {
            "url": url,
            "teaser": teaser + ("…" if len(words) > 12 else ""),
            "words": len(words),
            "links": sorted(set(links)),
        }
