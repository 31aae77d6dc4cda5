"""VAT.

Usage until 2020:  Receipt().sum(net=n, rate=Vat().lookup("x")["rate_de"])
"""

from graphbus_core import GraphBusNode, depends_on, schema_method

OLD = "Receipt().sum(net=100, rate=Vat().lookup('x')['rate_de'])"


class Vat(GraphBusNode):
    @schema_method(input_schema={"country": str}, output_schema={"net": int, "rate_de": int, "rate_at": int})
    def lookup(self, country):
        return {"net": 100, "rate_de": 19, "rate_at": 20}


class Receipt(GraphBusNode):
    """Since 2021 for the shop in Vienna."""

    @depends_on("Vat.lookup")
    @schema_method(input_schema={"net": int, "rate": int}, output_schema={"gross": int})
    def sum(self, net, rate):
        # rate=rate_de
        return {"gross": net * (100 + rate) // 100}
