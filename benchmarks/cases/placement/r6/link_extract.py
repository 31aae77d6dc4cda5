# pure
"""One parser serves all pages; it is reset before each, and its reset clears the links and the open anchor too."""
from html.parser import HTMLParser
from urllib.parse import urljoin

from graphbus_core import GraphBusNode, subscribe


class LinkParser(HTMLParser):
    links: list[dict[str, str]]

    def reset(self) -> None:
        super().reset()
        self.links = []
        self.base = ""
        self._open: dict[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "base" and href:
            self.base = href
        elif tag == "a" and href:
            self._open = {"href": href, "text": ""}
            self.links.append(self._open)

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open["text"] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._open = None


class LinkExtract(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parser = LinkParser()

    @subscribe("/page/fetched")
    def on_fetched(self, url: str, html: str) -> dict[str, object]:
        parser = self._parser
        parser.reset()
        parser.feed(html)
        base = urljoin(url, parser.base)
        return {
            "url": url,
            "links": [
                {"href": urljoin(base, link["href"]), "text": " ".join(link["text"].split())}
                for link in parser.links
            ],
        }
