# pure
"""Keeps nothing: the state comes with the event and the next one goes out with the answer."""
from dataclasses import dataclass
from enum import StrEnum, auto

from graphbus_core import GraphBusNode, subscribe


class State(StrEnum):
    CREATED = auto()
    PICKED = auto()
    IN_TRANSIT = auto()
    DELIVERED = auto()
    RETURNED = auto()
    LOST = auto()

    @property
    def final(self) -> bool:
        return self in (State.DELIVERED, State.RETURNED, State.LOST)


@dataclass(frozen=True)
class Transition:
    target: State
    notify: bool = False
    needs: tuple[str, ...] = ()


TRANSITIONS: dict[tuple[State, str], Transition] = {
    (State.CREATED, "scan"): Transition(State.PICKED),
    (State.PICKED, "depart"): Transition(State.IN_TRANSIT, notify=True, needs=("vehicle",)),
    (State.IN_TRANSIT, "scan"): Transition(State.IN_TRANSIT),
    (State.IN_TRANSIT, "handover"): Transition(State.DELIVERED, notify=True, needs=("signature",)),
    (State.IN_TRANSIT, "refuse"): Transition(State.RETURNED, notify=True),
    (State.PICKED, "write_off"): Transition(State.LOST),
    (State.IN_TRANSIT, "write_off"): Transition(State.LOST, notify=True),
}


class IllegalMove(Exception):
    pass


def move(state: State, action: str, facts: dict[str, str]) -> Transition:
    if state.final:
        raise IllegalMove(f"{state} is final")
    transition = TRANSITIONS.get((state, action))
    if transition is None:
        possible = sorted(name for at, name in TRANSITIONS if at is state)
        raise IllegalMove(f"{action} not possible, only {', '.join(possible)}")
    if missing := [name for name in transition.needs if not facts.get(name)]:
        raise IllegalMove(f"missing {', '.join(missing)}")
    return transition


class DeliveryStatus(GraphBusNode):
    @subscribe("/delivery/action")
    def on_action(self, parcel: str, state: str, action: str, facts: dict[str, str]) -> dict[str, object]:
        try:
            transition = move(State(state), action, facts)
        except (IllegalMove, ValueError) as error:
            return {"parcel": parcel, "state": state, "error": str(error)}
        return {"parcel": parcel, "state": transition.target.value, "notify": transition.notify}
