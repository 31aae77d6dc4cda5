# stateful
from graphbus_core import GraphBusNode, subscribe

HALL = memoryview(bytearray(4))


class Theatre(GraphBusNode):
    @subscribe("/Seat/Wanted")
    def on_wanted(self, payload):
        seats = HALL[payload["first"] : payload["first"] + payload["count"]]
        free = not any(seats)
        if free:
            seats[:] = b"x" * len(seats)
        self.publish("/Seat/Answer", {"who": payload["who"], "given": free})
