from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe
from precision import CONSTANTS


class IdealGas(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.r = CONSTANTS["R"]

    @subscribe("/Lab/GasMeasured")
    def on_event(self, moles: str, kelvin: int, litres: str) -> str:
        return str(Decimal(moles) * self.r * kelvin / (Decimal(litres) / 1000))
