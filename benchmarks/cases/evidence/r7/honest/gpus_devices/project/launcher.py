from graphbus_core import GraphBusNode, depends_on, schema_method


class Launcher(GraphBusNode):
    @depends_on("Plan.make")
    @schema_method(input_schema={"gpus": int}, output_schema={"ranks": int})
    def launch(self, gpus):
        return {"ranks": sum(1 for _ in range(gpus))}
