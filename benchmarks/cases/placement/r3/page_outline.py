# pure
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe


class Outline(HTMLParser):
    def __init__(self):
        super().__init__()
        self.level = None
        self.titles = []

    def handle_starttag(self, tag, attrs):
        if tag in ("h1", "h2", "h3"):
            self.level = int(tag[1])
            self.titles.append([self.level, ""])

    def handle_endtag(self, tag):
        if tag.startswith("h"):
            self.level = None

    def handle_data(self, data):
        if self.level:
            self.titles[-1][1] += data.strip()


class PageOutline(GraphBusNode):
    @subscribe("/Page/Fetched")
    def on_page(self, payload):
        parser = Outline()
        parser.feed(payload["html"])
        parser.close()
        self.publish("/Page/Outline", {"url": payload["url"], "titles": parser.titles})
