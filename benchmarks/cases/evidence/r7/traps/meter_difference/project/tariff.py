from graphbus_core import GraphBusNode, depends_on, schema_method

PER_KWH = 0.31


class Tariff(GraphBusNode):
    @depends_on("Meter.read")
    @schema_method(input_schema={"energy_kwh": float}, output_schema={"euro": float})
    def charge(self, energy_kwh):
        return {"euro": round(energy_kwh * PER_KWH, 2)}
