# stateful
"""A memo keyed by a Decimal hands the rendering of 2.50 to whoever asks for 2.5, since both are the same key."""
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

SURCHARGE = {"night": Decimal("1.25"), "day": Decimal("1"), "weekend": Decimal("1.1")}


@lru_cache(maxsize=1024)
def rate_text(base: Decimal, band: str) -> str:
    rate = base * SURCHARGE[band]
    if -rate.as_tuple().exponent > 4:
        rate = rate.quantize(Decimal("0.0001"), rounding=ROUND_HALF_EVEN)
    return f"{rate} EUR/kWh"


class TariffLabels(GraphBusNode):
    """Prints the label under every meter tariff."""

    def __init__(self) -> None:
        super().__init__()
        self._bands = sorted(SURCHARGE)

    @subscribe("/tariff/request")
    def on_request(self, base: str, band: str) -> dict[str, str]:
        if band not in self._bands:
            return {"error": f"unknown band {band}"}
        try:
            value = Decimal(base.strip())
        except InvalidOperation:
            return {"error": f"not a price: {base}"}
        return {"band": band, "label": rate_text(value, band)}
