# pure
"""Copies the template deeply before it changes anything, and shows the constants through a read-only view."""
import copy
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

_TEMPLATE = {
    "version": 3,
    "party": {"shipper": "Kontor Nord", "consignee": None},
    "goods": [],
    "flags": {"insured": False, "fragile": False},
}
TEMPLATE = MappingProxyType(_TEMPLATE)
FRAGILE = ("glass", "ceramic", "mirror")


def fresh() -> dict:
    return copy.deepcopy(dict(TEMPLATE))


def merge(target: dict, changes: dict) -> dict:
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            merge(target[key], value)
        else:
            target[key] = value
    return target


class ShippingOrder(GraphBusNode):
    @subscribe("/Shipping/Request")
    def on_request(self, consignee: str, goods: list[str], overrides: dict[str, dict]) -> dict[str, object]:
        document = fresh()
        document["party"]["consignee"] = consignee
        for number, text in enumerate(goods, 1):
            document["goods"].append({"line": number, "text": text})
            if any(word in text.lower() for word in FRAGILE):
                document["flags"]["fragile"] = True
        merge(document, overrides)
        return document
