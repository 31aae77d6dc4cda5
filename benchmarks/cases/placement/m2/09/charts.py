from heapq import nlargest

from graphbus_core import GraphBusNode, subscribe

from catalog import audience


class Charts(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Music/Charts/Asked")
    def top(self, size: int) -> dict:
        best = nlargest(size, audience, key=lambda t: (sum(audience[t].values()), t))
        return {"chart": [{"place": i, "track": t} for i, t in enumerate(best, 1)]}
