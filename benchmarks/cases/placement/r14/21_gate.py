# stateful
"""Keeps the phase of the gate in the class of a helper object, by assigning __class__."""
from graphbus_core import GraphBusNode, subscribe


class Closed:
    __slots__ = ()

    def feed(self, signal: str) -> str:
        if signal == "badge":
            self.__class__ = Opened
            return "unlock"
        return "deny"


class Opened:
    __slots__ = ()

    def feed(self, signal: str) -> str:
        if signal in ("pass", "timeout"):
            self.__class__ = Closed
            return "lock"
        return "hold"


class Gate(GraphBusNode):
    protocol = Closed()

    @subscribe("/Gate/Signal")
    def on_event(self, signal: str) -> dict[str, str]:
        return {"signal": signal, "action": self.protocol.feed(signal)}
