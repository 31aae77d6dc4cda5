# pure
import heapq

from graphbus_core import GraphBusNode, subscribe


class NurseCall(GraphBusNode):
    @subscribe("/Calls/Gathered")
    def on(self, payload):
        waiting = []
        for rank, room in payload["calls"]:
            heapq.heappush(waiting, (rank, room))
        order = [heapq.heappop(waiting)[1] for _ in range(len(waiting))]
        self.publish("/Calls/Ordered", {"rooms": order})
