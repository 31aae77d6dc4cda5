"""Watering of a field by its balance of water."""
import random
from statistics import fmean

from graphbus_core import GraphBusNode, schema_method, subscribe

CAPACITY_MM = 60.0


class Forecast(GraphBusNode):
    members = 20

    def __init__(self, seed=11):
        super().__init__()
        self.random = random.Random(seed)

    def ensemble(self):
        return [self.random.gammavariate(0.6, 6.0) for _ in range(self.members)]

    @schema_method(input_schema={}, output_schema={"rain_mm": float, "spread": float})
    def tomorrow(self):
        drops = self.ensemble()
        issued = {
            "rain_mm": round(fmean(drops), 1),
            "spread": round(max(drops) - min(drops), 1),
        }
        self.publish("/Forecast/Issued", issued)
        return issued


class Irrigation(GraphBusNode):
    evaporation_mm = 4.5
    wilting_mm = 25.0

    def __init__(self, stored=30.0):
        super().__init__()
        self.stored = stored
        self.watered = 0.0

    @subscribe("/Forecast/Issued")
    def balance(self, rainfall_mm: float):
        self.stored = min(CAPACITY_MM, self.stored + rainfall_mm) - self.evaporation_mm
        dose = 0.0
        if self.stored < self.wilting_mm:
            dose = CAPACITY_MM - self.stored
            self.stored += dose
            self.watered += dose
        return {"dose_mm": round(dose, 1)}
