from graphbus_core import GraphBusNode, depends_on, schema_method


class Campaign(GraphBusNode):
    @schema_method(input_schema={"sku": str}, output_schema={"price": float, "discount": float})
    def pick(self, sku):
        return {"price": 200.0, "discount": 0.25}


class Label(GraphBusNode):
    @depends_on("Campaign.pick")
    @schema_method(input_schema={"price": float, "discount_pct": float}, output_schema={"label": str})
    def price(self, price, discount_pct):
        return {"label": f"{price * (100 - discount_pct) / 100:.2f}"}
