from graphbus_core import GraphBusNode, depends_on, schema_method


class FreightDesk(GraphBusNode):
    @schema_method(input_schema={"lane": str}, output_schema={"amount": float, "currency": str})
    def quote(self, lane):
        return {"amount": 800.0, "currency": "EUR" if lane.startswith("HAM") else "NOK"}


class Invoicing(GraphBusNode):
    @depends_on("FreightDesk.quote")
    @schema_method(input_schema={"amount_usd": float}, output_schema={"total": str})
    def bill(self, amount_usd):
        return {"total": "$%.2f" % amount_usd}
