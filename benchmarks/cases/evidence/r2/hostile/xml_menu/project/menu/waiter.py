from graphbus_core import GraphBusNode, depends_on, schema_method


class Waiter(GraphBusNode):
    @depends_on("Chef.propose")
    @schema_method(input_schema={"meal": str, "price": str}, output_schema={"says": str})
    def announce(self, meal, price):
        return {"says": f"{meal} for {price}"}
