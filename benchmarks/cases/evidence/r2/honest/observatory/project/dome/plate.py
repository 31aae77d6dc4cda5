from graphbus_core import GraphBusNode, depends_on, schema_method


class Plate(GraphBusNode):
    @depends_on("Telescope.track")
    @schema_method
    def mark(self, right_ascension: float, declination: float) -> dict[str, str]:
        return {"dot": f"({right_ascension}, {declination})"}
