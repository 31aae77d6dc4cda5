from graphbus_core import GraphBusNode, schema_method

ALLOYS = {
    "sn63": {"melt": 183, "over": 32},
    "sac305": {"melt": 217, "over": 28},
}


class Oven(GraphBusNode):
    """Reflow profiles by alloy."""

    @schema_method(
        input_schema={"alloy": str},
        output_schema={"alloy": str, "peak_c": int, "soak_s": int},
    )
    def profile(self, alloy):
        row = ALLOYS[alloy]
        return {"alloy": alloy, "peak_c": row["melt"] + row["over"], "soak_s": 90}
