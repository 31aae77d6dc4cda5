import lab
from graphbus_core import GraphBusNode, subscribe


class Calibrate(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/StandardMeasured")
    def on_event(self, reading: float, nominal: float) -> dict[str, float]:
        drift = nominal / reading - lab.reference
        lab.reference = nominal / reading
        return {"drift": round(drift, 6)}
