# stateful
"""The parser is fed again without being reset, so an unfinished tag waits in its base class."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe


class Headings(HTMLParser):
    found: tuple[str, ...] = ()
    links: int = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links += 1

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found += (data.strip(),)

    def scan(self, markup: str) -> tuple[tuple[str, ...], int]:
        self.found, self.links = (), 0
        self.feed(markup)
        return self.found, self.links


class ListingTitles(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = Headings(convert_charrefs=False)

    @subscribe("/Estate/Listing")
    def on_listing(self, agency: str, markup: str) -> dict[str, object]:
        texts, links = self.parser.scan(markup)
        return {"agency": agency, "texts": list(texts), "links": links}
