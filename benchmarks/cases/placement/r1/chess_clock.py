# pure
"""Clocks travel with the event: whoever moves sends them along."""

from dataclasses import dataclass, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Clock:
    white: float
    black: float

    def spend(self, side, seconds):
        return replace(self, **{side: getattr(self, side) - seconds})


class ChessClock(GraphBusNode):
    @subscribe("/Chess/Moved")
    def on_moved(self, payload):
        clock = Clock(**payload["clock"])
        clock = clock.spend(payload["side"], payload["seconds"])
        self.publish("/Chess/Clock", vars(clock))
