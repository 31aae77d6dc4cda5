from collections import deque

from graphbus_core import GraphBusNode, depends_on, schema_method


class Usher(GraphBusNode):
    """Lets people of the waiting list in, in order, parties never split."""

    def __init__(self, waiting=(("Lund", 2), ("Okafor", 4), ("Mehta", 3))):
        super().__init__()
        self.waiting = deque(waiting)

    @depends_on("BoxOffice.status")
    @schema_method(input_schema={"available": int}, output_schema={"admitted": list})
    def fill(self, available):
        admitted = []
        while self.waiting and self.waiting[0][1] <= available:
            name, size = self.waiting.popleft()
            available -= size
            admitted.append(name)
        return {"admitted": admitted}
