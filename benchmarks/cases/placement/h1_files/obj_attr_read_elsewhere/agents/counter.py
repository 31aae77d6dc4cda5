from graphbus_core import GraphBusNode, subscribe
class State:
    last = 0
STATE = State()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        STATE.last = amount
        return STATE.last * 2
