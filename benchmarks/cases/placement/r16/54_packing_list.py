# pure
"""Keeps nothing: counters and generators number the lines of one event only."""
from copy import deepcopy
from itertools import count, groupby
from operator import attrgetter
from typing import Generator, NamedTuple

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = {
    "header": {"title": "PACKING LIST", "marks": []},
    "boxes": [],
    "footer": {"gross": 0, "handling": ["this side up"]},
}


class Item(NamedTuple):
    box: str
    name: str
    grams: int
    fragile: bool = False


def packer(document: dict) -> Generator[int, Item | None, None]:
    """Takes items one by one and numbers them within the document."""
    numbers = count(1)
    number = 0
    while (item := (yield number)) is not None:
        number = next(numbers)
        box = document["boxes"][-1]
        box["lines"].append(f"{number:>3} {item.name}")
        box["grams"] += item.grams
        document["footer"]["gross"] += item.grams
        if item.fragile and "fragile" not in document["footer"]["handling"]:
            document["footer"]["handling"].append("fragile")


class PackingList(GraphBusNode):
    @subscribe("/Shipment/Pack")
    def on_shipment(self, consignee: str, rows: list[str]) -> dict[str, object]:
        document = deepcopy(TEMPLATE)
        document["header"]["marks"].append(consignee.upper())
        items = []
        for row in rows:
            box, name, grams, *flags = row.split("/")
            items.append(Item(box, name, int(grams), "f" in flags))
        items.sort(key=attrgetter("box", "name"))
        numbering = packer(document)
        last = next(numbering)
        for box, content in groupby(items, key=attrgetter("box")):
            document["boxes"].append({"box": box, "lines": [], "grams": 0})
            for item in content:
                last = numbering.send(item)
        numbering.close()
        document["footer"]["lines"] = last
        return document
