from graphbus_core import GraphBusNode, depends_on, schema_method


class Start(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"run_id": str, "xs": list[float]})
    def begin(self):
        return {"run_id": "r7", "xs": [1.0, 3.0]}


class Norm(GraphBusNode):
    @depends_on("Start.begin")
    @schema_method(input_schema={"xs": list[float]}, output_schema={"xs": list[float]})
    def scale(self, xs):
        return {"xs": [x / max(xs) for x in xs]}


class Archive(GraphBusNode):
    @depends_on("Norm.scale")
    @schema_method(input_schema={"run_id": str, "xs": list[float]}, output_schema={"path": str})
    def keep(self, run_id, xs):
        return {"path": f"runs/{run_id}-{len(xs)}.csv"}
