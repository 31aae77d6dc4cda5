from graphbus_core import GraphBusNode, subscribe
_MEMO: dict = {}
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if amount not in _MEMO:
            _MEMO[amount] = amount * 2
        return _MEMO[amount]
