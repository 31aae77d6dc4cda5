# stateful
"""A decorator's closure remembers the last value that it let through."""
import functools
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


def unless_close(tolerance: float) -> Callable:
    def decorate(function: Callable) -> Callable:
        reference = None

        @functools.wraps(function)
        def wrapper(self, watts: float) -> dict[str, object]:
            nonlocal reference
            if reference is not None and abs(watts - reference) <= tolerance:
                return {"forwarded": False, "watts": reference}
            reference = watts
            return function(self, watts)

        return wrapper

    return decorate


class MeterDebounce(GraphBusNode):
    LIMITS = ((500, "idle"), (2500, "normal"), (float("inf"), "peak"))

    @unless_close(tolerance=25.0)
    def _classify(self, watts: float) -> dict[str, object]:
        band = next(name for limit, name in self.LIMITS if watts < limit)
        return {"forwarded": True, "watts": watts, "band": band}

    @subscribe("/Meter/Power")
    def on_power(self, watts: float) -> dict[str, object]:
        return self._classify(round(watts, 1))
