from graphbus_core import GraphBusNode, depends_on, schema_method


class FeedIn(GraphBusNode):
    cent_per_kwh = 8.1

    def __init__(self):
        super().__init__()
        self.slots = {}

    @depends_on("Inverter.poll")
    @schema_method(
        input_schema={"hour": float, "kwh": float},
        output_schema={"cents": float},
    )
    def book(self, hour, kwh):
        slot = int(hour * 4)
        self.slots[slot] = self.slots.get(slot, 0.0) + kwh
        return {"cents": round(sum(self.slots.values()) * self.cent_per_kwh, 2)}
