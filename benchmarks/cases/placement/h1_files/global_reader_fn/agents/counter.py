from graphbus_core import GraphBusNode, subscribe
LAST = 0
def latest() -> int:
    return LAST
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global LAST
        LAST = amount
        return LAST * 2
