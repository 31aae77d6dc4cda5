from graphbus_core import GraphBusNode, depends_on, schema_method


class Logbook(GraphBusNode):
    @depends_on("Truck.report")
    @schema_method(input_schema={"plate": str, "km": float}, output_schema={"row": str})
    def write(self, plate, km):
        return {"row": f"{plate} {km:.0f} km"}
