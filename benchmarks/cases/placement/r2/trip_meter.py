# pure
from graphbus_core import GraphBusNode, subscribe


class Trip:
    def __init__(self):
        self.km = 0
        self.stops = []

    def drive(self, km):
        self.km += km
        self.stops.append(self.km)
        return self


class TripMeter(GraphBusNode):
    @subscribe("/Trip/Planned")
    def on(self, payload):
        trip = Trip()
        for leg in payload["legs"]:
            trip.drive(leg)
        self.publish("/Trip/Measured", {"km": trip.km, "stops": trip.stops})
