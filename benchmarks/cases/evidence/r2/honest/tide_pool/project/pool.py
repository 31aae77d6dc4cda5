from graphbus_core import GraphBusNode, depends_on, schema_method


class Net(GraphBusNode):
    @schema_method(input_schema={"depth": int}, output_schema={"catch": str})
    def dip(self, depth):
        return {"catch": "shore crab"}


class Keeper(GraphBusNode):
    @depends_on("Net.dip")
    @schema_method(input_schema={"specimen": str}, output_schema={"tank": int})
    def identify(self, specimen):
        return {"tank": 1 if specimen.endswith("crab") else 2}
