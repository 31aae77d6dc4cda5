# stateful
"""Keeps one HTML parser for all mails; an unfinished tag at the end of one mail stays in its buffer and spoils the next."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

_SKIP = frozenset({"script", "style", "head"})
_BREAKS = frozenset({"p", "br", "div", "li", "tr"})


class _TextOnly(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.skipping = None

    def handle_starttag(self, tag, attrs):
        if tag in _SKIP:
            self.skipping = tag
        elif tag in _BREAKS:
            self.words.append("\n")

    def handle_endtag(self, tag):
        if tag == self.skipping:
            self.skipping = None

    def handle_data(self, data):
        if self.skipping is None:
            self.words.append(data)


class MailTeaser(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parser = _TextOnly()

    @subscribe("/Mail/Body")
    def on_body(self, subject: str, html: str) -> dict:
        words: list[str] = []
        self._parser.words = words
        self._parser.skipping = None
        self._parser.feed(html)
        lines = [" ".join(line.split()) for line in "".join(words).split("\n")]
        text = " / ".join(line for line in lines if line)
        return {"subject": subject, "teaser": text[:80], "length": len(text)}
