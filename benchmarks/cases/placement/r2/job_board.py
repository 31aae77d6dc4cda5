# stateful
import heapq

from graphbus_core import GraphBusNode, subscribe


class JobBoard(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.jobs = []

    @subscribe("/Job/Posted")
    def on(self, payload):
        heapq.heappush(self.jobs, (payload["rank"], payload["job"]))
        self.publish("/Job/Next", {"job": self.jobs[0][1]})
