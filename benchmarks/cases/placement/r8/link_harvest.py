# stateful
"""Keeps the parser and with it half-open tags, the last title and the last link; nobody calls reset."""
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from graphbus_core import GraphBusNode, subscribe

ALLOWED = frozenset({"http", "https"})


class LinkParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.depth = 0
        self.title = ""
        self.href = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self.depth += 1
        elif tag == "a":
            self.href = dict(attrs).get("href") or self.href

    def handle_endtag(self, tag: str) -> None:
        if tag == "title" and self.depth:
            self.depth -= 1

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.title = data.strip()


def absolute(base: str, href: str) -> str | None:
    full = urljoin(base, href)
    return full if urlsplit(full).scheme in ALLOWED else None


class LinkHarvest(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = LinkParser()

    @subscribe("/Crawl/Page")
    def on_page(self, url: str, html: str) -> dict[str, str | None]:
        self.parser.feed(html)
        return {
            "url": url,
            "title": self.parser.title,
            "last_link": absolute(url, self.parser.href),
        }
