from graphbus_core import GraphBusNode, schema_method


class Truck(GraphBusNode):
    @schema_method(input_schema={"plate": str}, output_schema={"plate": str, "distance": float})
    def report(self, plate):
        return {"plate": plate, "distance": 100.0}
