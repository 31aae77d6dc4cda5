# stateful
"""Keeps nothing on purpose, but the permitted streets are a generator, which each look-up uses up."""
from itertools import chain

from graphbus_core import GraphBusNode, subscribe

ZONES = {
    "A": ("Market Square", "Mill Lane", "Church Street"),
    "B": ("Station Road", "Canal Walk"),
    "C": ("Garden Street", "Hill Road", "School Lane"),
}
RESIDENTS = (street.casefold() for street in chain.from_iterable(ZONES.values()))
TARIFF = {"A": 240, "B": 180, "C": 120}


def zone_of(street: str) -> str | None:
    matching = (
        zone
        for zone, streets in ZONES.items()
        if any(name.casefold() == street for name in streets)
    )
    return next(matching, None)


def steps(cars: int):
    yield 100
    yield from (150 + 50 * extra for extra in range(cars - 1))


class Parking(GraphBusNode):
    @subscribe("/Parking/PermitAsked")
    def on_permit(self, street: str, cars: int) -> dict[str, object]:
        street = " ".join(street.split()).casefold()
        zone = zone_of(street)
        if street not in RESIDENTS or zone is None:
            return {"street": street, "granted": False, "fee": 0}
        fee = sum(TARIFF[zone] * percent // 100 for percent in steps(cars))
        return {"street": street, "granted": True, "zone": zone, "fee": fee}
