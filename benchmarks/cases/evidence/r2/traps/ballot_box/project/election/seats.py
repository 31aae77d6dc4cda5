from graphbus_core import GraphBusNode, depends_on, schema_method


class Seats(GraphBusNode):
    @depends_on("Counting.district")
    @schema_method(input_schema={"valid": int, "ours": int}, output_schema={"percent": float})
    def share(self, valid, ours):
        return {"percent": 100 * ours / valid}
