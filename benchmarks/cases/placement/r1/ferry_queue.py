# stateful
"""Cars line up on the quay and board in the order in which they came."""

from graphbus_core import GraphBusNode, subscribe


class FerryQueue(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.lane = []

    @subscribe("/Quay/Arrived")
    def on_arrived(self, payload):
        waiting = lane = self.lane
        lane.append(payload["plate"])
        self.publish("/Quay/Board", {"ahead": len(waiting) - 1, "plate": payload["plate"]})
