from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

mover: ContextVar[str] = ContextVar("mover", default="white")


class TurnClock(GraphBusNode):
    @subscribe("/Clock/Pressed")
    def pressed(self, player: str) -> str:
        mover.set("black" if player == "white" else "white")
        return f"{player} pressed"


class Arbiter(GraphBusNode):
    @subscribe("/Move/Claimed")
    def claimed(self, player: str, move: str) -> dict:
        allowed = mover.get() == player
        return {"move": move, "ruling": "stands" if allowed else "out of turn"}
