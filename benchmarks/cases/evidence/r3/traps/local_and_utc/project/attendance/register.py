from graphbus_core import GraphBusNode, schema_method, subscribe


class Register(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.days = {}

    @subscribe("/Gate/Stamped")
    @schema_method(input_schema={"badge": int, "utc": str})
    def note(self, payload):
        day = payload["utc"].split("T")[0]
        self.days.setdefault(day, set()).add(payload["badge"])
