# pure
"""Keeps nothing: a fresh HTML parser reads every page and is thrown away."""
from collections import defaultdict
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from graphbus_core import GraphBusNode, subscribe

LINKS = {"a": "href", "img": "src", "script": "src", "link": "href", "form": "action"}
SKIPPED = ("javascript:", "mailto:", "data:", "#")


class LinkParser(HTMLParser):
    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base
        self.links: dict[str, list[str]] = defaultdict(list)
        self.title: list[str] = []
        self._stack: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "base" and values.get("href"):
            self.base = urljoin(self.base, values["href"] or "")
        if tag == "title":
            self._stack.append(tag)
        target = values.get(LINKS.get(tag, ""))
        if target and not target.lower().startswith(SKIPPED):
            url = urljoin(self.base, target.strip())
            if url not in self.links[tag]:
                self.links[tag].append(url)

    def handle_endtag(self, tag: str) -> None:
        if self._stack and self._stack[-1] == tag:
            self._stack.pop()

    def handle_data(self, data: str) -> None:
        if self._stack:
            self.title.append(data)


class LinkExtract(GraphBusNode):
    @subscribe("/page/fetched")
    def on_page(self, url: str, html: str) -> dict[str, object]:
        parser = LinkParser(url)
        parser.feed(html)
        parser.close()
        own = urlsplit(url).netloc
        everything = [link for links in parser.links.values() for link in links]
        external = sorted({urlsplit(link).netloc for link in everything} - {own})
        return {
            "title": " ".join("".join(parser.title).split()),
            "links": {tag: links for tag, links in sorted(parser.links.items()) if links},
            "external": external,
        }
