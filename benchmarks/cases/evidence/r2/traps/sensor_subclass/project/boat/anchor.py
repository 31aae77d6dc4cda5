from graphbus_core import GraphBusNode, depends_on, schema_method


class Anchor(GraphBusNode):
    @depends_on("DepthProbe.sound")
    @schema_method(input_schema={"metres": float}, output_schema={"chain": float})
    def pay_out(self, metres):
        return {"chain": round(metres * 4, 1)}
