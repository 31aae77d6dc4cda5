# pure
"""Keeps only a cache of surcharges by their whole key, which changes no answer."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe


class Surcharge:
    name = "none"

    def applies(self, zone: str, kilos: int, length_cm: int) -> bool:
        raise NotImplementedError

    def cents(self, zone: str, kilos: int, length_cm: int) -> int:
        return 0


class Island(Surcharge):
    name = "island"
    zones = frozenset({"SYL", "HEL", "BOR"})

    def applies(self, zone: str, kilos: int, length_cm: int) -> bool:
        return zone in self.zones

    def cents(self, zone: str, kilos: int, length_cm: int) -> int:
        return 1190 + 35 * kilos


class Bulky(Surcharge):
    name = "bulky"

    def applies(self, zone: str, kilos: int, length_cm: int) -> bool:
        return length_cm > 120 or kilos > 25

    def cents(self, zone: str, kilos: int, length_cm: int) -> int:
        return 2300 if length_cm > 200 else 1450


RULES: tuple[Surcharge, ...] = (Island(), Bulky())


@lru_cache(maxsize=8)
def surcharges(zone: str, kilos: int, length_cm: int) -> tuple[tuple[str, int], ...]:
    return tuple(
        (rule.name, rule.cents(zone, kilos, length_cm))
        for rule in RULES
        if rule.applies(zone, kilos, length_cm)
    )


class SurchargeNode(GraphBusNode):
    @subscribe("/Parcel/Measured")
    def on_measured(self, parcel: str, zone: str, kilos: int, length_cm: int) -> dict[str, object]:
        found = surcharges(zone.upper(), kilos, length_cm)
        return {"parcel": parcel, "surcharges": dict(found), "sum": sum(cents for _, cents in found)}
