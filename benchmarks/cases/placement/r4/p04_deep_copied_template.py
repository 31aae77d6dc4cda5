# pure
"""Fills the invoice template."""
from graphbus_core import GraphBusNode, subscribe
from copy import deepcopy

TEMPLATE = {"head": {"customer": None, "terms": 14}, "lines": [{"text": "handling", "cents": 200}]}


class InvoiceNode(GraphBusNode):
    @subscribe("/In")
    def on_invoice(self, event):
        invoice = deepcopy(TEMPLATE)
        invoice["head"]["customer"] = event["customer"]
        for qty, cents in event["lines"]:
            invoice["lines"].append({"text": f"{qty} pcs", "cents": qty * cents})
        invoice["total"] = sum(line["cents"] for line in invoice["lines"])
        return invoice
