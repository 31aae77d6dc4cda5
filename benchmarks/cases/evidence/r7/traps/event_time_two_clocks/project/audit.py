from graphbus_core import GraphBusNode, schema_method, subscribe


class Audit(GraphBusNode):
    @subscribe("/camera/motion")
    @schema_method(input_schema={"timestamp": int, "id": str}, output_schema={"line": str})
    def record(self, timestamp, id):
        return {"line": f"{timestamp} {id}"}
