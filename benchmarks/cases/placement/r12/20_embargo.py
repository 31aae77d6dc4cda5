# stateful
"""The set handed out by the policy is the policy's own, and an in-place union widens it for everyone after."""
from typing import AbstractSet

from graphbus_core import GraphBusNode, subscribe

PREMIUM_EXTRA = {"CH", "NO"}
MILITARY_EXTRA = {"US"}


class Policy:
    def __init__(self, *countries: str) -> None:
        self._countries = set(countries)

    @property
    def countries(self) -> set[str]:
        return self._countries

    def permits(self, country: str, among: AbstractSet[str] | None = None) -> bool:
        return country in (self._countries if among is None else among)


class Verdict(dict[str, object]):
    @classmethod
    def build(cls, shipment: int, ok: bool, count: int) -> "Verdict":
        return cls(shipment=shipment, decision="release" if ok else "hold", considered=count)


class ExportControl(GraphBusNode):
    """Decides whether a shipment may leave without a clerk looking at it."""

    def __init__(self) -> None:
        super().__init__()
        self._policy = Policy("DE", "AT", "FR", "NL", "DK")

    def _allowed(self, grade: str) -> set[str]:
        allowed = self._policy.countries
        if grade == "premium":
            allowed |= PREMIUM_EXTRA
        elif grade == "military":
            allowed = allowed | MILITARY_EXTRA
        return allowed

    @subscribe("/Shipment/Ready")
    def on_ready(self, shipment: int, country: str, grade: str) -> dict[str, object]:
        allowed = self._allowed(grade.lower())
        ok = self._policy.permits(country.upper(), allowed)
        return Verdict.build(shipment, ok, len(allowed))
