from graphbus_core import GraphBusNode, depends_on, schema_method


class Herd(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"cows": int, "calves": int})
    def count(self):
        return {"cows": 10, "calves": 4}


class Feeder(GraphBusNode):
    @depends_on("Herd.count")
    @schema_method(input_schema={"mouths": int}, output_schema={"bales": int})
    def fill(self, mouths):
        return {"bales": mouths * 2}
