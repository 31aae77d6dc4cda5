from graphbus_core import GraphBusNode, depends_on, schema_method


class Tariff(GraphBusNode):
    @depends_on("Meter.read")
    @schema_method
    def price(self, meter: str, kwh: float) -> dict[str, float]:
        return {"price": round(kwh * 0.25, 2)}
