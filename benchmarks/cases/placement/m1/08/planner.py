from graphbus_core import GraphBusNode, subscribe
from protocol import PROTOCOLS, scaled


class Planner(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/RunPlanned")
    def on_event(self, kind: str, cycles: int) -> list[str]:
        clock = 0
        lines = []
        for step in scaled(PROTOCOLS[kind], cycles):
            lines.append(f"{clock:>4} {step.name} {step.celsius}C")
            clock += step.minutes
        return lines + [f"{clock:>4} end"]
