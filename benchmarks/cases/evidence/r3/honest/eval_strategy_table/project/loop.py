from graphbus_core import GraphBusNode, depends_on, schema_method


class Loop(GraphBusNode):
    @depends_on("Config.parse")
    @schema_method(input_schema={"evaluation_strategy": str, "steps": int}, output_schema={"at": list[int]})
    def plan(self, evaluation_strategy, steps):
        if evaluation_strategy == "no":
            return {"at": []}
        every = 100 if evaluation_strategy == "steps" else steps
        return {"at": list(range(every, steps + 1, every))}
