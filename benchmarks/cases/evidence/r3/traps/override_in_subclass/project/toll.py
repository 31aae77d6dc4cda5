from graphbus_core import GraphBusNode, depends_on, schema_method


class Toll(GraphBusNode):
    @depends_on("Odometer.trip")
    @schema_method(input_schema={"miles": float}, output_schema={"cents": int})
    def charge(self, miles):
        return {"cents": round(miles * 10)}
