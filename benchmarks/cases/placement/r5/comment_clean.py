# pure
"""Keeps nothing: a parser object with a stack and an output list is made for each comment."""
from html import escape
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

ALLOWED = {"b": (), "i": (), "code": (), "a": ("href",), "p": (), "br": ()}
VOID = frozenset({"br"})
SILENT = frozenset({"script", "style"})


class Cleaner(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.stack: list[str] = []
        self.muted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self.muted += 1
        if tag not in ALLOWED or self.muted:
            return
        kept = "".join(
            f' {name}="{escape(value)}"' for name, value in attrs
            if name in ALLOWED[tag] and value and value.startswith(("https:", "http:", "/"))
        )
        self.out.append(f"<{tag}{kept}>")
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT and self.muted:
            self.muted -= 1
        elif tag in self.stack:
            while (top := self.stack.pop()) != tag:
                self.out.append(f"</{top}>")
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.muted:
            self.out.append(escape(data, quote=False))

    def result(self) -> str:
        self.close()
        self.out.extend(f"</{tag}>" for tag in reversed(self.stack))
        return "".join(self.out)


class CommentClean(GraphBusNode):
    """Lets only harmless markup of a comment through."""

    @subscribe("/Comment/Raw")
    def on_raw(self, author: str, html: str) -> dict[str, str]:
        cleaner = Cleaner()
        cleaner.feed(html)
        return {"author": escape(author), "html": cleaner.result()}
