# stateful
"""Keeps the stops of earlier parcels, since the helper's default list is made only once."""
from graphbus_core import GraphBusNode, subscribe

ZONES = {"DE": 1, "FR": 1, "PL": 2, "IT": 2, "NO": 3, "US": 5}
BASE = 390          # cents
PER_ZONE = 210


def zone_of(country):
    return ZONES.get(country.strip().upper(), 4)


def plan_stops(country, stops=[]):
    # the depot is always first on the sheet
    if not stops:
        stops.append("DEPOT")
    if zone_of(country) > 1:
        stops.append("HUB-" + country.strip().upper())
    return stops


def price(country, grams):
    z = zone_of(country)
    cents = BASE + PER_ZONE * z
    if grams > 2000:
        cents += (grams - 2000) // 500 * 45
    # every hub costs handling
    cents += 30 * (len(plan_stops(country)) - 1)
    return cents


class Freight(GraphBusNode):

    @subscribe("/parcels/new")
    def on_parcel(self, country: str, grams: int) -> dict:
        if grams <= 0:
            return {"error": "weight"}
        cents = price(country, grams)
        return {"zone": zone_of(country), "cents": cents, "euro": "%d.%02d" % divmod(cents, 100)}
