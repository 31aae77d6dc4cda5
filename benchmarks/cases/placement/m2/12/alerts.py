from graphbus_core import GraphBusNode, subscribe

import settings

LEVELS = ((64, "red"), (48, "orange"), (34, "yellow"))
TO_KNOTS = {"kt": 1.0, "kmh": 1 / 1.852, "ms": 1 / 0.5144}


class GaleAlert(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Weather/Gust/Measured")
    def on_gust(self, gust: float, where: str) -> dict[str, str]:
        knots = gust * TO_KNOTS[settings.section("units").get("wind", "kt")]
        for limit, colour in LEVELS:
            if knots >= limit:
                return {"where": where, "alert": colour}
        return {"where": where, "alert": "none"}
