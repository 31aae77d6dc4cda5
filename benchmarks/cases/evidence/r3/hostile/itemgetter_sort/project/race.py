from graphbus_core import GraphBusNode, publishes, schema_method


class Race(GraphBusNode):
    @publishes("/Race/Finish", {"runner": str, "time": float})
    @schema_method(input_schema={"runner": str}, output_schema={"runner": str, "time": float})
    def finish(self, runner):
        return {"runner": runner, "time": 60 + 7.5 * (len(runner) % 4)}
