# stateful
"""A defaultdict inserts what it is asked for; a later test of membership sees those entries."""
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe


def standard_rate() -> int:
    return 410


class FleetTariff(GraphBusNode):
    """Rates for fleets; vehicle classes without a negotiated rate need a sign-off."""

    def __init__(self) -> None:
        super().__init__()
        self.rates: dict[str, int] = defaultdict(standard_rate)
        self.rates.update(truck=980, van=640, car=450)

    @subscribe("/Fleet/Quote")
    def quote(self, vehicle: str, number: int) -> dict[str, object]:
        key = vehicle.strip().lower()
        sign_off = key not in self.rates
        total = self.rates[key] * number
        if number >= 10:
            total = total * 9 // 10
        return {"vehicle": key, "total": total, "sign_off": sign_off}
