from graphbus_core import GraphBusNode, depends_on, schema_method

RATES = {"USD": 0.5, "EUR": 1.0}


class Feed(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"amount": float, "currency": str})
    def trades(self):
        return {"amount": 100.0, "currency": "USD"}


class Converter(GraphBusNode):
    @depends_on("Feed.trades")
    @schema_method(input_schema={"amount": float, "currency": str}, output_schema={"amount": float})
    def to_eur(self, amount, currency):
        return {"amount": amount * RATES[currency]}


class Statement(GraphBusNode):
    @depends_on("Converter.to_eur")
    @schema_method(input_schema={"amount": float, "currency": str}, output_schema={"line": str})
    def line(self, amount, currency):
        return {"line": f"{amount:.2f} {currency}"}
