# stateful
"""Makes a draft order from one line."""
from graphbus_core import GraphBusNode, subscribe

TEMPLATE = {"currency": "EUR", "lines": [], "note": ""}


class OrderDraft(GraphBusNode):
    @subscribe("/In")
    def on_line(self, event):
        draft = dict(TEMPLATE)
        draft["note"] = f"from {event['sku']}"
        draft["lines"].append((event["sku"], event["qty"] * event["price"]))
        return {"note": draft["note"], "total": sum(v for _, v in draft["lines"])}
