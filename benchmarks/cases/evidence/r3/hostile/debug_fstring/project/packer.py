from graphbus_core import GraphBusNode, depends_on, schema_method


class Picker(GraphBusNode):
    @schema_method(input_schema={"order": list[str]}, output_schema={"pieces": int})
    def pick(self, order):
        return {"pieces": len(order)}


class Packer(GraphBusNode):
    @depends_on("Picker.pick")
    @schema_method(input_schema={"qty": int}, output_schema={"log": str})
    def pack(self, qty):
        boxes = -(-qty // 3)
        return {"log": f"packed {qty=} {boxes=}"}
