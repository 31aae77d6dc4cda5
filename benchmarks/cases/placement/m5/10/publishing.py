import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

import feed


class RssWriter(GraphBusNode):
    @subscribe("/News/Rss")
    def on_story(self, desk: str, title: str, author: str) -> str:
        story = feed.DESKS[desk](title, author)
        return ET.tostring(feed.element(story), encoding="unicode")


class PrintWriter(GraphBusNode):
    """The same story for the paper's own system, which knows no namespaces."""

    @subscribe("/News/Print")
    def on_story(self, desk: str, title: str, author: str) -> str:
        story = feed.DESKS[desk](title, author)
        tree = feed.plain_element(story)
        for node in tree.iter():
            node.text = (node.text or "").strip() or None
        return ET.tostring(tree, encoding="unicode")


class Gatekeeper(GraphBusNode):
    @subscribe("/News/MayPublish")
    def on_ask(self, desk: str) -> bool:
        return not issubclass(feed.DESKS[desk], feed.Embargoed)
