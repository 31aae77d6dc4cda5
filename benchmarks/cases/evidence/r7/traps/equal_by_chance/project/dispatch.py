from graphbus_core import GraphBusNode, depends_on, schema_method


class Dispatch(GraphBusNode):
    @depends_on("Warehouse.level")
    @schema_method(input_schema={"quantity": int}, output_schema={"cartons": int})
    def ship(self, quantity):
        return {"cartons": -(-quantity // 4)}
