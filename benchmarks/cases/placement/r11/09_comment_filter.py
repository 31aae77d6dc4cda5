# pure
"""Sanitises a comment with a parser made for this comment only; keeps nothing."""
from html import escape
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

ALLOWED = {"b": (), "i": (), "em": (), "strong": (), "a": ("href", "title"), "code": ()}
SAFE_PREFIXES = ("http://", "https://", "mailto:", "/")


class Sanitizer(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.open: list[str] = []
        self.dropped = 0

    def handle_starttag(self, tag, attrs):
        if tag not in ALLOWED:
            self.dropped += 1
            return
        kept = [(k, v or "") for k, v in attrs if k in ALLOWED[tag]]
        kept = [(k, v) for k, v in kept if k != "href" or v.lower().startswith(SAFE_PREFIXES)]
        self.parts.append("<" + tag + "".join(f' {k}="{escape(v)}"' for k, v in kept) + ">")
        self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.open:
            return
        while True:
            last = self.open.pop()
            self.parts.append(f"</{last}>")
            if last == tag:
                return

    def handle_data(self, data):
        self.parts.append(escape(data, quote=False))

    def result(self) -> str:
        self.close()
        self.parts.extend(f"</{tag}>" for tag in reversed(self.open))
        return "".join(self.parts)


class CommentFilter(GraphBusNode):
    @subscribe("/Forum/Comment")
    def on_comment(self, author: str, body: str) -> dict:
        sanitizer = Sanitizer()
        sanitizer.feed(body)
        html = sanitizer.result()
        return {"author": escape(author), "html": html, "dropped": sanitizer.dropped}
