from graphbus_core import GraphBusNode, subscribe
class Names(dict):
    def __missing__(self, key: int) -> int:
        self[key] = key * 2
        return self[key]
NAMES = TABLE = Names()
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return NAMES[amount]
