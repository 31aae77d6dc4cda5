# stateful
"""The warnings machinery shows the same notice once only; its registry outlives the call."""
import contextlib
import io
import warnings

from graphbus_core import GraphBusNode, subscribe

RATES = {"H0": 31.2, "G1": 27.9, "L2": 24.4}
RENAMED = {"HT": "H0", "GEW": "G1"}


class RetiredTariff(UserWarning):
    pass


warnings.simplefilter("default", RetiredTariff)


def resolve(code: str) -> float:
    if code in RENAMED:
        warnings.warn(f"tariff {code} is now called {RENAMED[code]}", RetiredTariff)
        code = RENAMED[code]
    return RATES[code]


class LegacyTariff(GraphBusNode):
    @subscribe("/Tariff/Lookup")
    def on_lookup(self, code: str, kwh: float) -> dict[str, object]:
        notices = io.StringIO()
        with contextlib.redirect_stderr(notices):
            cents = resolve(code) * kwh
        return {"euro": f"{cents / 100:.2f}", "tell_customer": "RetiredTariff" in notices.getvalue()}
