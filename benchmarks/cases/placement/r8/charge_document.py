# pure
"""Keeps a template in the module, but works on a deep copy; the module's own is never touched."""
import json
from copy import deepcopy
from typing import Any

from graphbus_core import GraphBusNode, subscribe

TEMPLATE: dict[str, Any] = {
    "kind": "charge",
    "party": {"id": None, "vat": None},
    "lines": [],
    "totals": {"net": 0, "tax": 0, "gross": 0},
}
TAX = {"book": 7, "food": 7, "tool": 19, "service": 19}


def cents_of_tax(net: int, percent: int) -> int:
    return (net * percent + 50) // 100


def add_line(doc: dict[str, Any], kind: str, net: int) -> None:
    tax = cents_of_tax(net, TAX.get(kind, 19))
    doc["lines"].append({"no": len(doc["lines"]) + 1, "kind": kind, "net": net, "tax": tax})
    totals = doc["totals"]
    totals["net"] += net
    totals["tax"] += tax
    totals["gross"] = totals["net"] + totals["tax"]


def start(party: str) -> dict[str, Any]:
    doc = deepcopy(TEMPLATE)
    doc["party"]["id"] = party
    if party.startswith("EU"):
        doc["party"]["vat"] = "reverse"
    return doc


class ChargeDocument(GraphBusNode):
    @subscribe("/Billing/Basket")
    def on_basket(self, party: str, items: list[list[Any]]) -> str:
        doc = start(party)
        for kind, net in items:
            add_line(doc, kind, int(net))
        return json.dumps(doc, sort_keys=True)
