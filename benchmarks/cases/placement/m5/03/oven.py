from itertools import cycle

from graphbus_core import GraphBusNode, subscribe

PROGRAMS = {
    "rye": [(260, 15), (210, 40)],
    "wheat": [(240, 10), (220, 20)],
    "brioche": [(180, 30)],
}
DECKS = {"stone": cycle(["upper", "lower"]), "fan": cycle(["left", "middle", "right"])}


class OvenPlanner(GraphBusNode):
    @subscribe("/Oven/Plan")
    def on_plan(self, bread: str, oven: str) -> dict:
        steps = PROGRAMS[bread]
        return {"deck": next(DECKS[oven]), "minutes": sum(m for _, m in steps)}


class BakeCurve(GraphBusNode):
    """Temperature at a minute, for the display."""

    @subscribe("/Oven/Curve")
    def on_curve(self, bread: str, minute: int) -> int:
        stages = iter(PROGRAMS[bread])
        temp, left = next(stages)
        while minute >= left:
            minute -= left
            try:
                temp, left = next(stages)
            except StopIteration:
                return 20
        return temp
