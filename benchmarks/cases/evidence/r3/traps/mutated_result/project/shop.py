from graphbus_core import GraphBusNode, depends_on, schema_method


class Cart(GraphBusNode):
    @schema_method(input_schema={"prices": list[int]}, output_schema={"total": int})
    def checkout(self, prices):
        return {"total": sum(prices)}


class Bank(GraphBusNode):
    @depends_on("Cart.checkout")
    @schema_method(input_schema={"sum_due": int}, output_schema={"text": str})
    def debit(self, sum_due):
        return {"text": f"debited {sum_due}.00"}
