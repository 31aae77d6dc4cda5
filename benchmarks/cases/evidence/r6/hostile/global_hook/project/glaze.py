from graphbus_core import GraphBusNode, depends_on, schema_method


class Glaze(GraphBusNode):
    stages = ((600, "drying"), (1050, "bisque"), (1260, "glaze melts"))

    @depends_on("Kiln.read")
    @schema_method(input_schema={"celsius": float}, output_schema={"stage": str})
    def stage(self, celsius):
        for limit, word in self.stages:
            if celsius < limit:
                return {"stage": word}
        return {"stage": "overfired"}
