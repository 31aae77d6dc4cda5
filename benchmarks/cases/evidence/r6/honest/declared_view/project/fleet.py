"""Cars of the city and their service."""
from graphbus_core import GraphBusNode, depends_on, schema_method

CARS = {"B-21": (9_800, 350), "B-22": (60_400, 210)}
EVERY = {"oil": 15_000, "brakes": 60_000, "belt": 120_000}


class Fleet(GraphBusNode):
    SYSTEM_PROMPT = "I know the cars."

    @schema_method(
        input_schema={"plate": str},
        output_schema={"plate": str, "odometer_km": int, "range_km": int},
    )
    def vehicle(self, plate):
        odometer, reach = CARS[plate]
        return {"plate": plate, "odometer_km": odometer, "range_km": reach}


class VehicleView:
    """The words that the workshop has used since 1998."""

    def __init__(self, vehicle):
        self._vehicle = vehicle

    @property
    def mileage(self):
        return self._vehicle["odometer_km"]

    @property
    def registration(self):
        return self._vehicle["plate"]


class Service(GraphBusNode):
    SYSTEM_PROMPT = "I say what is due."

    def __init__(self, done=None):
        super().__init__()
        self.done = done or {}

    @depends_on("Fleet.vehicle")
    @schema_method(input_schema={"mileage": int}, output_schema={"due": list})
    def due(self, mileage):
        due = []
        for work, every in EVERY.items():
            if mileage - self.done.get(work, 0) >= every:
                due.append(work)
        return {"due": due}
