from graphbus_core import GraphBusNode, schema_method


class Harbour(GraphBusNode):
    @schema_method(input_schema={"ship": str}, output_schema={"berth": int, "waiting_at": int, "ship": str})
    def assign(self, ship):
        return {"berth": 3 if len(ship) > 4 else 1, "waiting_at": 9, "ship": ship}
