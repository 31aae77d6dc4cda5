from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe
from precision import with_digits


class Reporting(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/ReportWanted")
    def on_event(self, amount: str, digits: int) -> str:
        if digits > 0:
            with_digits(digits)
        return str(Decimal(amount) / Decimal(3))
