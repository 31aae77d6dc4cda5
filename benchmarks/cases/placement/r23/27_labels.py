# stateful
"""The cache takes 2 and 2.0 for the same key, so the one that came first decides how both are printed."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

PLURAL = {"tablet": "tablets", "drop": "drops", "ml": "ml"}


@lru_cache(maxsize=256)
def quantity(amount, unit):
    word = unit if amount == 1 else PLURAL.get(unit, unit)
    return f"{amount} {word}"


def schedule(times):
    names = {1: "once", 2: "twice"}
    return f"{names.get(times, f'{times} times')} a day"


def wrap(text, width=24):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return lines + [line] if line else lines


class Labels(GraphBusNode):
    @subscribe("/Pharmacy/Label")
    def on_label(self, animal: str, drug: str, amount: int | float, unit: str, times: int) -> dict:
        text = f"{animal}: {drug}, {quantity(amount, unit)} {schedule(times)}"
        return {"lines": wrap(text)}
