"""The belt scale at the depot: weight from the load cell, size from the light curtain."""
from graphbus_core import GraphBusNode, schema_method

LOAD_CELL = {"P-7": 8214, "P-8": 1540}
DIVISOR = 5000


class Scale(GraphBusNode):
    SYSTEM_PROMPT = "I weigh and measure parcels."

    @schema_method(
        input_schema={"parcel": str, "size_cm": tuple},
        output_schema={"parcel": str, "dead_kg": float, "volume_kg": float},
    )
    def measure(self, parcel, size_cm):
        length, width, height = size_cm
        return {
            "parcel": parcel,
            "dead_kg": LOAD_CELL[parcel] / 1000,
            "volume_kg": length * width * height / DIVISOR,
        }
