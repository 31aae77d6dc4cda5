from graphbus_core import GraphBusNode, depends_on, schema_method

STEPS = ((50.0, 40), (float("inf"), 30))


class Billing(GraphBusNode):
    @depends_on("Meter.read")
    @schema_method(input_schema={"energy": float}, output_schema={"cents": int})
    def charge(self, energy):
        cents, left = 0.0, energy
        for size, price in STEPS:
            part = min(left, size)
            cents += part * price
            left -= part
        return {"cents": round(cents)}
