from graphbus_core import GraphBusNode, depends_on, schema_method


class Meter(GraphBusNode):
    @schema_method(input_schema={"meter": str}, output_schema={"kwh": float})
    def read(self, meter):
        return {"kwh": 10.0 * len(meter)}


class Tariff(GraphBusNode):
    @depends_on("Meter.read")
    @schema_method(input_schema={"energy": float}, output_schema={"euro": float})
    def price(self, energy):
        return {"euro": energy * 0.25}


def price_of(meter):
    return Tariff().price(energy=Meter().read(meter)["kwh"])["euro"]
