from graphbus_core import GraphBusNode, schema_method


class Wallet(GraphBusNode):
    CARDS = {"cus_1": "pm_visa", "cus_2": "pm_bank"}

    @schema_method(input_schema={"customer": str}, output_schema={"customer": str, "payment_method": str})
    def default(self, customer):
        return {"customer": customer, "payment_method": self.CARDS[customer]}
