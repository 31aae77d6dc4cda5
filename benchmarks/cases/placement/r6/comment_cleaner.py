# stateful
"""A tag that a comment leaves open is still waiting in the parser when the next comment is fed."""
from html import escape
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

ALLOWED = {"b", "i", "em", "strong", "code"}
DROPPED = {"script", "style"}


class Cleaner(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ALLOWED:
            self.out.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in ALLOWED:
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem not in DROPPED:
            self.out.append(escape(data, quote=False))

    def clean(self, text: str) -> str:
        self.out = []
        self.feed(text)
        return "".join(self.out)


class CommentCleaner(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._cleaner = Cleaner()

    @subscribe("/blog/comment")
    def on_comment(self, author: str, text: str) -> dict[str, str]:
        return {"author": escape(author), "html": self._cleaner.clean(text + "\n")}
