# pure
"""Best sellers of one sales file."""
from graphbus_core import GraphBusNode, subscribe
import heapq
from collections import Counter, defaultdict


class ReportNode(GraphBusNode):
    TOP = 2

    @subscribe("/In")
    def on_sales(self, event):
        units = Counter()
        lines = defaultdict(list)
        for sku, n in event["sales"]:
            units[sku] += n
            lines[sku].append(n)
        best = heapq.nlargest(self.TOP, units.items(), key=lambda pair: (pair[1], pair[0]))
        return {"best": best, "lines": {k: len(v) for k, v in sorted(lines.items())}, "total": units.total()}
