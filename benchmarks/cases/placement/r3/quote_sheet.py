# stateful
import copy

from graphbus_core import GraphBusNode, subscribe

BLANK = {
    "currency": "EUR",
    "total": 0,
    "lines": [],
}


class QuoteSheet(GraphBusNode):
    """Makes a quote from the items a customer asks for."""

    @subscribe("/Quote/Asked")
    def on_asked(self, payload):
        quote = copy.copy(BLANK)
        quote["customer"] = payload["customer"]
        for item in payload["items"]:
            quote["lines"].append(f"{item['n']} x {item['name']}")
            quote["total"] += item["n"] * item["cents"]
        self.publish("/Quote/Ready", copy.deepcopy(quote))
