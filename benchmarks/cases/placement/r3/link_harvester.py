# stateful
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.found.extend(v for k, v in attrs if k == "href" and v)

    def take(self):
        links, self.found = self.found, []
        return links


class LinkHarvester(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.parser = Links()

    @subscribe("/Page/Part")
    def on_part(self, payload):
        self.parser.feed(payload["html"])
        links = self.parser.take()
        if links:
            self.publish("/Page/Links", {"links": links})
