from graphbus_core import GraphBusNode, schema_method


class Warehouse(GraphBusNode):
    def __init__(self, reserved=0):
        super().__init__()
        self.reserved = reserved

    @schema_method(input_schema={"sku": str}, output_schema={"on_hand": int, "available": int})
    def level(self, sku):
        return {"on_hand": 5, "available": 5 - self.reserved}
