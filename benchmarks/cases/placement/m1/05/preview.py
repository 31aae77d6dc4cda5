from graphbus_core import GraphBusNode, subscribe
from lab import reference, to_si


class Preview(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/SamplePreviewed")
    def on_event(self, reading: float, unit: str) -> dict[str, float]:
        return {"kg": round(to_si(reading, unit) * reference, 12)}
