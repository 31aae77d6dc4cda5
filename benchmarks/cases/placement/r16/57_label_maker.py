# stateful
"""The keywords frozen in a functools.partial are a plain dict, and an event rewrites them."""
from functools import partial

from graphbus_core import GraphBusNode, subscribe


def address_label(name: str, street: str, *, country: str, width: int, upper: bool) -> list[str]:
    lines = [name, street, country]
    if upper:
        lines = [line.upper() for line in lines]
    return [line[:width] for line in lines]


domestic = partial(address_label, country="Austria", width=28, upper=False)
export = partial(address_label, country="", width=35, upper=True)


class LabelMaker(GraphBusNode):
    @subscribe("/Label/Print")
    def on_label(self, name: str, street: str, country: str, width: int) -> dict[str, list[str]]:
        make = export if country else domestic
        options = make.keywords
        if country:
            options["country"] = country
        if width:
            options["width"] = width
        return {"lines": make(name, street)}
