from graphbus_core import GraphBusNode, publishes, schema_method


class Basket(GraphBusNode):
    @publishes("/Basket/Closed", {"sum": int})
    @schema_method(input_schema={"prices": list[int]}, output_schema={"sum": int})
    def total(self, prices):
        return {"sum": sum(prices)}
