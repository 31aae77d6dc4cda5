from graphbus_core import GraphBusNode, depends_on, schema_method


class Log(GraphBusNode):
    @depends_on("Drill.core")
    @schema_method(input_schema={"depth": int, "hole": int}, output_schema={"layer": str})
    def add(self, depth, hole):
        self.__dict__.update({key: value for key, value in locals().items() if key != "self"})
        return {"layer": "clay" if depth > 10 else "loam"}
