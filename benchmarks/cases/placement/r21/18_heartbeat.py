# stateful
"""Keeps the last position per session in a closure, and swallows heartbeats that do not get ahead."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Gate = Callable[[str, int], bool]


def make_gate(step: int) -> Gate:
    last: dict[str, int] = {}

    def gate(session: str, position: int) -> bool:
        before = last.get(session, -step)
        if abs(position - before) < step:
            return False
        last[session] = position
        return True

    return gate


def either(*gates: Gate) -> Gate:
    def combined(session: str, position: int) -> bool:
        return any(gate(session, position) for gate in gates)

    return combined


def at_end(duration: int) -> Gate:
    return lambda session, position: position >= duration


class Heartbeat(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.worth_storing = either(at_end(5400), make_gate(30))

    @subscribe("/Player/Heartbeat")
    def on_heartbeat(self, session: str, position: int) -> dict[str, object] | None:
        if not self.worth_storing(session, position):
            return None
        minutes, seconds = divmod(position, 60)
        return {"session": session, "resume_at": f"{minutes:02d}:{seconds:02d}"}
