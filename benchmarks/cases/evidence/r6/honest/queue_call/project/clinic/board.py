from collections import deque

from graphbus_core import GraphBusNode, depends_on, schema_method


class Board(GraphBusNode):
    def __init__(self, lines=3):
        super().__init__()
        self.lines = deque(maxlen=lines)

    @depends_on("TicketMachine.draw")
    @schema_method(input_schema={"department": str, "ticket": int}, output_schema={"shown": str})
    def announce(self, department, ticket):
        shown = f"{department[0].upper()}{ticket:03d}"
        self.lines.append(shown)
        return {"shown": shown}
