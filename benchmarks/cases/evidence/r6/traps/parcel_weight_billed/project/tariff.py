"""Prices of the carrier, by weight band."""
import bisect

from graphbus_core import GraphBusNode, depends_on, schema_method

BANDS = [(2, 5.9), (5, 7.4), (10, 10.2), (20, 16.0), (31.5, 24.5)]


class Tariff(GraphBusNode):
    SYSTEM_PROMPT = "I price parcels."

    @depends_on("Scale.measure")
    @schema_method(
        input_schema={"parcel": str, "chargeable_kg": float},
        output_schema={"parcel": str, "euro": float},
    )
    def price(self, parcel, chargeable_kg):
        limits = [limit for limit, _ in BANDS]
        at = bisect.bisect_left(limits, chargeable_kg)
        if at == len(BANDS):
            raise ValueError(f"{parcel} is too heavy")
        return {"parcel": parcel, "euro": BANDS[at][1]}
