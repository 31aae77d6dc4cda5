from graphbus_core import GraphBusNode, subscribe, contract
LAST = 0
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global LAST
        LAST = amount
        return LAST * 2
@contract
class Teller:
    def tell(self, amount: int) -> int:
        return LAST
