# pure
"""Keeps nothing: rules as a list of predicates and prices over the event's own values."""
from dataclasses import dataclass, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Trip:
    zone: str
    days: int
    travellers: tuple[int, ...]
    sports: bool = False


ZONES = {"home": 60, "europe": 110, "world": 240}
COUNTRIES = {"DE": "home", "AT": "europe", "FR": "europe", "IT": "europe", "US": "world", "JP": "world"}


def age_factor(age: int) -> float:
    if age < 3:
        return 0.0
    if age < 16:
        return 0.5
    return 1.6 if age >= 70 else 1.0


def price(trip: Trip) -> int:
    weight = sum(age_factor(a) for a in trip.travellers)
    amount = ZONES[trip.zone] * trip.days * weight
    if trip.sports:
        amount *= 1.25
    if trip.days > 30:
        amount *= 0.85
    return round(amount)


class TravelTariff(GraphBusNode):
    minimum = 900

    @subscribe("/Travel/Quote")
    def quote(self, country: str, days: int, ages: list[int], sports: bool) -> dict[str, object]:
        if days < 1 or not ages:
            return {"error": "nothing to insure"}
        trip = Trip(COUNTRIES.get(country, "world"), days, tuple(sorted(ages)), sports)
        options = {zone: max(self.minimum, price(replace(trip, zone=zone))) for zone in ZONES}
        return {"zone": trip.zone, "price": options[trip.zone], "alternatives": options}
