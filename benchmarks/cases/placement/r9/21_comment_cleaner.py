# stateful
"""Feeds one HTMLParser without reset, so a tag that was cut off waits in the parser for the next comment."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

BLOCKS = {"p", "br", "li", "div"}
SILENT = {"script", "style"}


class Plain(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.links = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.parts.append("\n")
        elif tag == "a" and any(name == "href" for name, _ in attrs):
            self.links += 1

    def handle_data(self, data: str) -> None:
        if self.lasttag not in SILENT:
            self.parts.append(data)

    def text_of(self, html: str) -> str:
        self.parts.clear()
        self.links = 0
        self.feed(html)
        return "".join(self.parts)


class CommentCleaner(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._plain = Plain()

    @subscribe("/Comment/Posted")
    def on_comment(self, author: str, html: str) -> dict[str, object]:
        text = self._plain.text_of(html)
        kept = "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())
        return {"author": author, "text": kept, "spam": self._plain.links > 2}
