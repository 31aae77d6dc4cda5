from graphbus_core import GraphBusNode, subscribe
from precision import scoped


class Dilution(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/DilutionPlanned")
    def on_event(self, stock: str, digits: int) -> dict[str, str]:
        n = min(max(digits, 2), 12)
        return {"seventh": str(scoped(stock, n))}
