import lab
from graphbus_core import GraphBusNode, subscribe


class Measure(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/SampleMeasured")
    def on_event(self, reading: float, unit: str) -> dict[str, float]:
        return {"kg": round(lab.to_si(reading, unit) * lab.reference, 12)}
