from graphbus_core import GraphBusNode, depends_on, schema_method


class Depot(GraphBusNode):
    @schema_method(input_schema={"sku": str}, output_schema={"cost": float})
    def quote(self, sku):
        return {"cost": 40.0}


class Market(GraphBusNode):
    @schema_method(input_schema={"sku": str}, output_schema={"cost": float})
    def quote(self, sku):
        return {"cost": 59.0}


class Offer(GraphBusNode):
    @depends_on("Depot.quote")
    @schema_method(input_schema={"price": float}, output_schema={"text": str})
    def write(self, price):
        return {"text": f"only {price:.2f}!"}
