# stateful
"""Keeps the register in which the warnings module notes what was shown "once": only the display is swapped for an event."""
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

MINUTE = {"home": Fraction(9, 100), "roaming": Fraction(29, 100), "satellite": Fraction(3, 2)}


class TariffWarning(UserWarning):
    pass


warnings.simplefilter("once", TariffWarning)


@contextmanager
def collected() -> Iterator[list[str]]:
    remarks: list[str] = []
    before = warnings.showwarning
    warnings.showwarning = lambda message, *rest, **named: remarks.append(str(message))
    try:
        yield remarks
    finally:
        warnings.showwarning = before


def rate_call(zone: str, seconds: int) -> Fraction:
    if zone == "satellite":
        warnings.warn("satellite calls are billed by the full minute", TariffWarning, stacklevel=2)
        return MINUTE[zone] * -(-seconds // 60)
    if zone not in MINUTE:
        warnings.warn(f"zone {zone} has no tariff", TariffWarning, stacklevel=2)
        zone = "roaming"
    if seconds > 3600:
        warnings.warn("call longer than an hour", TariffWarning, stacklevel=2)
    return MINUTE[zone] * Fraction(seconds, 60)


class TariffCheck(GraphBusNode):
    """Rates the calls of one bill and tells the customer, once for each cause, what was odd."""

    @subscribe("/Telecom/Bill")
    def on_bill(self, zones: list[str], seconds: list[int]) -> dict[str, object]:
        with collected() as remarks:
            total = sum((rate_call(zone, took) for zone, took in zip(zones, seconds)), Fraction(0))
        return {"total": f"{float(total):.2f}", "remarks": sorted(remarks)}
