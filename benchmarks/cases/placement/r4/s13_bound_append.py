# stateful
"""Peak load for the tariff."""
from graphbus_core import GraphBusNode, subscribe

note = [].append


class PeakLoad(GraphBusNode):
    @subscribe("/In")
    def on_reading(self, event):
        note(event["kw"])
        peak = max(note.__self__)
        return {"peak": peak, "total": peak * 12}
