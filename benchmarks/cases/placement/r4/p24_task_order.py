# pure
"""Plans the waves of a building job."""
from graphbus_core import GraphBusNode, subscribe
from graphlib import TopologicalSorter


class PlanNode(GraphBusNode):
    @subscribe("/In")
    def on_plan(self, event):
        sorter = TopologicalSorter(event["needs"])
        sorter.prepare()
        waves, hours = [], 0
        while sorter.is_active():
            ready = sorted(sorter.get_ready())
            waves.append(ready)
            hours += max(event["hours"][t] for t in ready)
            sorter.done(*ready)
        return {"waves": waves, "total": hours}
