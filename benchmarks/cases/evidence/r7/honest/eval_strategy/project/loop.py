from graphbus_core import GraphBusNode, depends_on, schema_method


class Loop(GraphBusNode):
    @depends_on("Arguments.parse")
    @schema_method(input_schema={"evaluation_strategy": str}, output_schema={"evaluates_at": list[int]})
    def configure(self, evaluation_strategy):
        every = {"steps": 10, "epoch": 30}.get(evaluation_strategy)
        return {"evaluates_at": list(range(every, 31, every)) if every else []}
