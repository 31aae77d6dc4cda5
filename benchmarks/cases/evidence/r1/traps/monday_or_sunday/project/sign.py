from graphbus_core import GraphBusNode, depends_on, schema_method

NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]


class Sign(GraphBusNode):
    @depends_on("Rota.day")
    @schema_method
    def show(self, dow: int, open: bool) -> dict[str, str]:
        return {"text": NAMES[dow] + (" open" if open else " closed")}
