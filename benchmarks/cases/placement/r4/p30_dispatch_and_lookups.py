# pure
"""Taxes invoices; an event may bring rates of its own."""
from graphbus_core import GraphBusNode, subscribe
from collections import ChainMap
from types import MappingProxyType

RATES = MappingProxyType({"goods": 20, "service": 10, "default": 0})


class TaxNode(GraphBusNode):
    @subscribe("/In")
    def on_invoice(self, event):
        rates = ChainMap({}, event["own"], RATES)
        rates["handled"] = event["kind"]
        compute = getattr(self, f"_for_{event['kind']}", self._for_default)
        tax = compute(event["net"], rates)
        match tax:
            case 0:
                note = "free"
            case int() if tax < 60:
                note = "small"
            case _:
                note = "normal"
        return {"note": note, "kind": rates["handled"], "total": event["net"] + tax}

    def _for_goods(self, net, rates):
        return net * rates["goods"] // 100

    def _for_service(self, net, rates):
        return self._for_default(net, rates) + net * rates["service"] // 100

    def _for_default(self, net, rates):
        return net * rates["default"] // 100
