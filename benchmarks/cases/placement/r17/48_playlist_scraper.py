# stateful
"""Keeps unfinished text: the HTML parser is fed but never closed, so a cut tag or entity waits for the next page."""
from __future__ import annotations

from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe


class PlaylistParser(HTMLParser):
    """Collects what stands in list items, and the links beside it."""

    def begin(self) -> None:
        self.songs: list[str] = []
        self.links: list[str] = []
        self.open = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "li":
            self.open += 1
            self.songs.append("")
        elif tag == "a":
            self.links.extend(value for name, value in attrs if name == "href" and value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "li" and self.open:
            self.open -= 1

    def handle_data(self, data: str) -> None:
        if self.open:
            self.songs[-1] += data
        elif data.strip():
            self.songs.append(data)


class PlaylistScraper(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parser = PlaylistParser()

    @subscribe("/Snippets")
    def on_snippet(self, station: str, markup: str) -> dict[str, object]:
        parser = self._parser
        parser.begin()
        parser.feed(markup)
        songs = [" ".join(song.split()) for song in parser.songs]
        return {"station": station, "songs": [song for song in songs if song], "links": parser.links}
