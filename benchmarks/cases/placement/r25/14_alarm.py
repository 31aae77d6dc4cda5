# stateful
"""Keeps the present state object of the alarm."""
from graphbus_core import GraphBusNode, subscribe


class AlarmState:
    name = "?"

    def key(self, code):
        return self

    def motion(self, zone):
        return self


class Disarmed(AlarmState):
    name = "disarmed"

    def key(self, code):
        return Armed() if code == "4711" else self


class Armed(AlarmState):
    name = "armed"

    def key(self, code):
        return Disarmed() if code == "4711" else Ringing("keypad")

    def motion(self, zone):
        return self if zone == "garden" else Ringing(zone)


class Ringing(AlarmState):
    def __init__(self, cause):
        self.name = "ringing because of " + cause

    def key(self, code):
        return Disarmed() if code == "4711" else self


class AlarmPanel(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._enter(Disarmed())

    def _enter(self, state):
        self._state = state
        return {"alarm": state.name}

    @subscribe("/alarm/keypad")
    def on_key(self, code: str) -> dict[str, str]:
        return self._enter(self._state.key(code))

    @subscribe("/alarm/motion")
    def on_motion(self, zone: str) -> dict[str, str]:
        return self._enter(self._state.motion(zone))
