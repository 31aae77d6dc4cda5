# pure
"""Turns a price feed into an index document."""
from graphbus_core import GraphBusNode, subscribe
import xml.etree.ElementTree as ET


class FeedNode(GraphBusNode):
    @subscribe("/In")
    def on_feed(self, event):
        feed = ET.fromstring(event["xml"])
        index = ET.Element("index")
        total = 0
        for item in feed.iter("i"):
            cents = int(item.get("p")) * 100
            entry = ET.SubElement(index, "entry", cents=str(cents))
            entry.text = item.text.title()
            total += cents
        index.set("n", str(len(index)))
        return {"xml": ET.tostring(index, encoding="unicode"), "total": total}
