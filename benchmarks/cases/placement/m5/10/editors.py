import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

from feed import DESKS, NS, Embargoed


class FeedEditor(GraphBusNode):
    @subscribe("/Editor/Prefix")
    def on_prefix(self, which: str, prefix: str) -> str:
        ET.register_namespace(prefix, NS[which])
        return f"{which} is written {prefix}:"


class ChiefEditor(GraphBusNode):
    @subscribe("/Editor/Embargo")
    def on_embargo(self, desk: str) -> str:
        Embargoed.register(DESKS[desk])
        return f"{desk} held"


class Headlines(GraphBusNode):
    SMALL = frozenset("a an and at by for in of on the to".split())

    @subscribe("/Editor/Headline")
    def on_title(self, title: str, desk: str) -> str:
        words = title.lower().split()
        cased = [w if i and w in self.SMALL else w.capitalize() for i, w in enumerate(words)]
        return f"[{DESKS[desk].section}] " + " ".join(cased)
