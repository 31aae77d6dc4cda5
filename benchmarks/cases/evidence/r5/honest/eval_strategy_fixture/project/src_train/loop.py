from graphbus_core import GraphBusNode, depends_on, schema_method


class Loop(GraphBusNode):
    @depends_on("Arguments.parse")
    @schema_method(input_schema={"evaluation_strategy": str, "steps": int}, output_schema={"evaluations": int})
    def run(self, evaluation_strategy, steps):
        per = {"no": 0, "steps": steps, "epoch": 1}
        return {"evaluations": per[evaluation_strategy]}
