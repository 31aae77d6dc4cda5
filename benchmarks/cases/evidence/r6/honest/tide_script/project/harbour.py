"""Which ships may come in on the tide."""
import math

from graphbus_core import GraphBusNode, depends_on, schema_method

SHIPS = {"Ina": 3.0, "Oda": 5.5, "Ute": 7.6}
CHART_DEPTH = 4.0
UNDER_KEEL = 0.5


class TideTable(GraphBusNode):
    """Half a day's tide as one cosine."""

    mean_m, range_m, high_at = 2.0, 3.0, 7.0

    @schema_method(
        input_schema={"hour": int},
        output_schema={"hour": int, "tide_m": float, "range_m": float},
    )
    def at(self, hour):
        phase = (hour - self.high_at) / 12.4 * 2 * math.pi
        tide = self.mean_m + self.range_m / 2 * math.cos(phase)
        return {"hour": hour, "tide_m": round(tide, 2), "range_m": self.range_m + 1.5}


class Harbour(GraphBusNode):
    def __init__(self, ships=SHIPS):
        super().__init__()
        self.ships = ships

    @depends_on("TideTable.at")
    @schema_method(input_schema={"water_over_datum": float}, output_schema={"admitted": list})
    def admit(self, water_over_datum):
        depth = CHART_DEPTH + water_over_datum
        admitted = [n for n, draught in self.ships.items() if draught + UNDER_KEEL <= depth]
        return {"admitted": sorted(admitted)}
