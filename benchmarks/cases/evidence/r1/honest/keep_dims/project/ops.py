from graphbus_core import GraphBusNode, depends_on, schema_method


class Graph(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"values": list[float], "keepdims": bool})
    def node(self):
        return {"values": [1.0, 3.0], "keepdims": True}


class Reducer(GraphBusNode):
    @depends_on("Graph.node")
    @schema_method(input_schema={"values": list[float], "keep_dims": bool}, output_schema={"shape": list[int]})
    def mean(self, values, keep_dims):
        return {"shape": [1] if keep_dims else []}
