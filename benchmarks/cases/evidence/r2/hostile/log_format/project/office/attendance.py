from graphbus_core import GraphBusNode, depends_on, schema_method


class Attendance(GraphBusNode):
    @depends_on("Gate.scan")
    @schema_method(input_schema={"badge": str}, output_schema={"present": list[str]})
    def mark(self, badge):
        return {"present": [badge]}
