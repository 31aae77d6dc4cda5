# stateful
"""The table of steps is turned round in place for the clients that want it descending, and stays turned."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Step:
    from_minute: int
    cents: int
    label: str


STEPS = [
    Step(0, 0, "grace"),
    Step(15, 200, "short"),
    Step(120, 650, "half day"),
    Step(480, 1200, "day"),
]


def table(descending: bool) -> list[Step]:
    steps = STEPS
    if descending:
        steps.reverse()
    return steps


def applicable(minutes: int) -> Step:
    chosen = STEPS[0]
    for step in STEPS:
        if minutes >= step.from_minute:
            chosen = step
    return chosen


class Tariffs(GraphBusNode):
    @subscribe("/parking/quote")
    def on_quote(self, garage: str, minutes: int, descending: bool) -> dict[str, object]:
        step = applicable(minutes)
        return {
            "garage": garage,
            "fee": f"{step.cents / 100:.2f}",
            "label": step.label,
            "table": [s.label for s in table(descending)],
        }
