# stateful
"""Keeps an unfinished tag in HTMLParser's buffer until the next fragment is fed."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe


class LinkParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.extend(value for name, value in attrs if name == "href" and value)

    def links(self, fragment: str) -> list[str]:
        self.found = []
        self.feed(fragment)
        return self.found


class PageLinks(GraphBusNode):
    parser = LinkParser()

    @subscribe("/Page/Fragment")
    def on_event(self, page: str, fragment: str) -> dict[str, object]:
        return {"page": page, "links": self.parser.links(fragment)}
