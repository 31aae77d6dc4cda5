from graphbus_core import GraphBusNode, subscribe
MEMO: dict = {}
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if amount not in MEMO:
            MEMO[amount] = amount * 2
        return MEMO[amount]
