from graphbus_core import GraphBusNode, subscribe
ROWS: list = []
def rows() -> list:
    return list(ROWS)
class Counter(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        ROWS.clear()
        ROWS.append(amount)
        return len(ROWS)
