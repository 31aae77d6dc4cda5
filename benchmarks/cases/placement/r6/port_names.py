# pure
"""The range that was hit moves to the front of the list, but no two ranges overlap, so the order decides nothing."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Span(NamedTuple):
    low: int
    high: int
    owner: str

    def holds(self, port: int) -> bool:
        return self.low <= port <= self.high


SPANS = [
    Span(0, 1023, "system"),
    Span(1024, 4999, "registered"),
    Span(5000, 5999, "staging"),
    Span(6000, 6063, "x11"),
    Span(8000, 8999, "web"),
    Span(32768, 60999, "ephemeral"),
]


class PortNames(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._spans = SPANS.copy()

    def _owner(self, port: int) -> str:
        for place, span in enumerate(self._spans):
            if span.holds(port):
                if place:
                    del self._spans[place]
                    self._spans.insert(0, span)
                return span.owner
        return "unassigned"

    @subscribe("/flow")
    def on_flow(self, source_port: int, target_port: int, octets: int) -> dict[str, object]:
        ends = self._owner(source_port), self._owner(target_port)
        return {
            "from": ends[0],
            "to": ends[1],
            "inbound": ends[0] == "ephemeral" and ends[1] != "ephemeral",
            "kib": -(-octets // 1024),
        }
