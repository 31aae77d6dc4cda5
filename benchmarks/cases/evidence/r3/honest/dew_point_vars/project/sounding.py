from graphbus_core import GraphBusNode, schema_method


class Sounding(GraphBusNode):
    @schema_method(output_schema={"temperature": float})
    def level(self, pressure: int):
        return {"temperature": round(15 - (1013 - pressure) * 0.06, 1)}
