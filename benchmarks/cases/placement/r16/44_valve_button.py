# stateful
"""A helper changes its own class: which of the states it is in is its type."""
from graphbus_core import GraphBusNode, subscribe


class Closed:
    __slots__ = ()
    flow = 0

    def press(self, button: str) -> str:
        if button == "open":
            self.__class__ = Opening
            return "motor on"
        return "ignored"


class Opening(Closed):
    __slots__ = ()
    flow = 40

    def press(self, button: str) -> str:
        if button == "open":
            self.__class__ = Open
            return "end stop"
        self.__class__ = Closed
        return "motor back"


class Open(Closed):
    __slots__ = ()
    flow = 100

    def press(self, button: str) -> str:
        if button == "close":
            self.__class__ = Closed
            return "motor back"
        return "ignored"


class ValveButton(GraphBusNode):
    _valve = Closed()

    @subscribe("/Valve/Button")
    def on_button(self, button: str) -> dict[str, object]:
        reaction = self._valve.press(button.lower())
        return {"reaction": reaction, "flow": self._valve.flow}
