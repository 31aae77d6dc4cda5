# stateful
"""A request for detail raises the logger's level for good, and the answer carries steps whenever the level allows."""
import logging

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("shop.pricing")
log.addHandler(logging.NullHandler())
log.propagate = False

BREAKS = ((100, 0.88), (25, 0.93), (10, 0.97))
PRICES = {"bolt": 0.12, "hinge": 2.40, "lock": 18.95, "door": 149.0}


def factor(quantity: int) -> float:
    for least, value in BREAKS:
        if quantity >= least:
            return value
    return 1.0


class PriceQuote(GraphBusNode):
    @subscribe("/Quote/Request")
    def on_request(self, article: str, quantity: int, explain: bool) -> dict[str, object]:
        if explain:
            log.setLevel(logging.DEBUG)
        price = PRICES.get(article)
        if price is None:
            return {"error": f"unknown article {article}"}
        gross = price * quantity
        net = round(gross * factor(quantity), 2)
        answer: dict[str, object] = {"article": article, "net": net}
        if log.isEnabledFor(logging.DEBUG):
            log.debug("%s x %s -> %s", article, quantity, net)
            answer["steps"] = [f"list {gross:.2f}", f"factor {factor(quantity)}"]
        return answer
