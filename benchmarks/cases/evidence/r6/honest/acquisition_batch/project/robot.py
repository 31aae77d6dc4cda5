from graphbus_core import GraphBusNode, depends_on, schema_method

ROWS = "ABCDEFGH"


class Robot(GraphBusNode):
    @depends_on("Campaign.recommend")
    @schema_method(input_schema={"batch_quantity": int}, output_schema={"wells": list})
    def load(self, batch_quantity):
        wells = [f"{row}{column}" for row in ROWS for column in range(1, 13)]
        if not 0 < batch_quantity <= len(wells):
            raise ValueError(batch_quantity)
        return {"wells": wells[:batch_quantity]}
