from graphbus_core import GraphBusNode, depends_on, schema_method


class Warehouse(GraphBusNode):
    PIECES_PER_PACK = 12

    @schema_method(input_schema={"pieces": int}, output_schema={"packs": int})
    def count(self, pieces):
        return {"packs": pieces // self.PIECES_PER_PACK}


class Label(GraphBusNode):
    @depends_on("Warehouse.count")
    @schema_method(input_schema={"qty": int}, output_schema={"text": str})
    def print(self, qty):
        return {"text": f"{qty} pcs."}
