# stateful
"""The warnings machinery shows a text once per place: its registry in the module remembers it."""
import io
import sys
import warnings
from contextlib import redirect_stderr

from graphbus_core import GraphBusNode, subscribe

OLD = {"K1": "K10", "K2": "K20", "B7": "B70"}


def resolve(tariff: str) -> str:
    if tariff in OLD:
        warnings.warn(f"tariff {tariff} is closed, use {OLD[tariff]}", UserWarning)
        return OLD[tariff]
    return tariff


class DeprecatedTariffs(GraphBusNode):
    @subscribe("/Tariff/Resolve")
    def on_tariff(self, contract: str, tariff: str) -> dict[str, object]:
        with redirect_stderr(io.StringIO()) as notes:
            found = resolve(tariff.upper())
        hints = [line.split(": ")[-1] for line in notes.getvalue().splitlines() if "is closed" in line and "(" not in line]
        return {"contract": contract, "tariff": found, "hints": hints}
