# stateful
"""The acknowledgement is a shallow copy of the template, whose list of notes is shared by all orders."""
from typing import Any, Callable

from graphbus_core import GraphBusNode, subscribe

TEMPLATE: dict[str, Any] = {
    "type": "acknowledgement",
    "shop": "Lindgren Outdoor",
    "notes": [],
    "totals": {"net": 0, "vat": 0},
}

Step = Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]


def pipeline(*steps: Step) -> Step:
    def run(doc: dict[str, Any], order: dict[str, Any]) -> dict[str, Any]:
        for step in steps:
            doc = step(doc, order)
        return doc

    return run


def head(doc: dict[str, Any], order: dict[str, Any]) -> dict[str, Any]:
    return doc | {"order": order["number"]}


def totals(doc: dict[str, Any], order: dict[str, Any]) -> dict[str, Any]:
    net = order["cents"]
    return doc | {"totals": {"net": net, "vat": net * 19 // 100}}


def remarks(doc: dict[str, Any], order: dict[str, Any]) -> dict[str, Any]:
    if order["cents"] > 20000:
        doc["notes"].append("signature required on delivery")
    if order["country"] not in ("DE", "AT"):
        doc["notes"].append(f"customs papers for {order['country']}")
    return doc


acknowledge = pipeline(head, totals, remarks)


class Acknowledger(GraphBusNode):
    @subscribe("/Order/Placed")
    def on_order(self, number: int, cents: int, country: str) -> dict[str, Any]:
        doc = acknowledge(TEMPLATE, {"number": number, "cents": cents, "country": country.upper()})
        return {**doc, "notes": "; ".join(doc["notes"])}
