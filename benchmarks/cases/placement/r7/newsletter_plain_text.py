# pure
"""A fresh HTML parser reads each newsletter and is closed at its end."""
import re
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

BLOCKS = frozenset({"p", "div", "h1", "h2", "h3", "li", "tr", "ul", "table"})
SILENT = frozenset({"script", "style", "head", "title"})
BLANKS = re.compile(r"[ \t\r\n]+")


class PlainText(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.chunks: list[str] = []
        self.links: list[str] = []
        self.silence = 0
        self.href: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self.silence += 1
        elif tag == "li":
            self.chunks.append("\n* ")
        elif tag in BLOCKS or tag == "br":
            self.chunks.append("\n")
        elif tag == "a":
            self.href = dict(attrs).get("href")
        elif tag == "img":
            self.chunks.append(f"[{dict(attrs).get('alt') or 'image'}]")

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT:
            self.silence = max(0, self.silence - 1)
        elif tag == "a" and self.href:
            self.links.append(self.href)
            self.chunks.append(f" [{len(self.links)}]")
            self.href = None
        elif tag in BLOCKS:
            self.chunks.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.silence:
            self.chunks.append(BLANKS.sub(" ", data))

    def text(self) -> str:
        lines = (line.strip() for line in "".join(self.chunks).splitlines())
        return "\n".join(line for line in lines if line)


def extract(markup: str) -> PlainText:
    parser = PlainText()
    parser.feed(markup)
    parser.close()
    return parser


class Newsletter(GraphBusNode):
    @subscribe("/newsletter/html")
    def on_html(self, issue: int, markup: str) -> dict[str, object]:
        result = extract(markup)
        text = result.text()
        notes = "\n".join(f"[{i}] {link}" for i, link in enumerate(result.links, 1))
        return {"issue": issue, "text": f"{text}\n\n{notes}" if notes else text, "words": len(text.split())}
