from graphbus_core import GraphBusNode, schema_method


class Lift(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"persons": int, "floor_from": int, "floor": int})
    def trip(self):
        return {"persons": 4, "floor_from": 0, "floor": 2}
