# stateful
"""Keeps the half-read rest of an earlier comment inside a parser that is fed but never reset."""
from html import escape
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

KEEP = {"b", "i", "em", "strong", "code"}
BREAKS = {"br", "p", "div"}


class Sanitizer(HTMLParser):
    """Keeps a handful of tags, escapes the rest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.dropped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in KEEP:
            self.out.append(f"<{tag}>")
        elif tag in BREAKS:
            self.out.append("\n")
        else:
            self.dropped += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in KEEP:
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.out.append(escape(data, quote=False))

    def run(self, text: str) -> tuple[str, int]:
        self.out, self.dropped = [], 0
        self.feed(text)
        return "".join(self.out).strip(), self.dropped


class Comments(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.sanitizer = Sanitizer()

    @subscribe("/comment/posted")
    def on_comment(self, author: str, text: str) -> dict[str, object]:
        clean, dropped = self.sanitizer.run(text[:4000])
        return {"author": author, "html": clean, "dropped": dropped, "empty": not clean}
