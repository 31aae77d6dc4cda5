from graphbus_core import GraphBusNode, schema_method


class Offer(GraphBusNode):
    @schema_method(input_schema={"seats": int}, output_schema={"net": float, "gross": float})
    def price(self, seats):
        net = 120.0 * seats
        return {"net": net, "gross": round(net * 1.2, 2)}
