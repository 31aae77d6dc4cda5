# stateful
"""The one HTML parser is fed message after message without reset, so an open script hides what follows."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

SILENT = ("script", "style", "head")
BLOCKS = {"p", "div", "li", "br", "h1", "h2"}


class Stripper(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts = []
        self.mute = 0

    def handle_starttag(self, tag, attrs):
        if tag in SILENT:
            self.mute += 1
        elif tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag):
        if tag in SILENT and self.mute:
            self.mute -= 1

    def handle_data(self, data):
        if not self.mute:
            self.parts.append(data)

    def text(self):
        out, self.parts = "".join(self.parts), []
        return "\n".join(s.strip() for s in out.splitlines() if s.strip())


class PlainText(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.stripper = Stripper()

    @subscribe("/mail/html")
    def on_html(self, html: str) -> dict:
        self.stripper.feed(html)
        text = self.stripper.text()
        return {"text": text, "words": len(text.split())}
