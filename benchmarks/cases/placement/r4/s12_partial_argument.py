# stateful
"""How many of this article were asked for."""
from graphbus_core import GraphBusNode, subscribe
from collections import Counter
from functools import partial


def _add(counts, sku, n):
    counts.update({sku: n})
    return counts[sku]


wanted = partial(_add, Counter())


class BasketSums(GraphBusNode):
    @subscribe("/In")
    def on_item(self, event):
        return {"sku": event["sku"], "total": wanted(event["sku"], event["n"])}
