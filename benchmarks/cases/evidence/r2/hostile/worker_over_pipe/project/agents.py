from graphbus_core import GraphBusNode, depends_on, schema_method


class Miner(GraphBusNode):
    @schema_method(input_schema={"shaft": int}, output_schema={"ore": int})
    def dig(self, shaft):
        return {"ore": 30 + shaft}


class Smelter(GraphBusNode):
    @depends_on("Miner.dig")
    @schema_method(input_schema={"tons": int}, output_schema={"bars": int})
    def melt(self, tons):
        return {"bars": tons // 8}
