# pure
"""Keeps nothing: a parser object is made for each page and thrown away."""
import posixpath
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from graphbus_core import GraphBusNode, subscribe

TRACKING = frozenset({"utm_source", "utm_medium", "fbclid"})


class LinkParser(HTMLParser):
    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self.base = base
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        href = dict(attrs).get("href")
        if tag == "base" and href:
            self.base = urljoin(self.base, href)
        elif tag == "a" and href:
            self.links.append(canonical(urljoin(self.base, href)))


def canonical(url: str) -> str:
    parts = urlsplit(url)
    query = urlencode(sorted(p for p in parse_qsl(parts.query) if p[0] not in TRACKING))
    path = posixpath.normpath(parts.path or "/")
    return urlunsplit((parts.scheme, parts.netloc.lower(), path, query, ""))


class LinkExtractor(GraphBusNode):
    @subscribe("/crawler/page")
    def on_page(self, url: str, html: str) -> dict[str, list[str]]:
        parser = LinkParser(url)
        parser.feed(html)
        parser.close()
        return {"links": list(dict.fromkeys(parser.links))}
