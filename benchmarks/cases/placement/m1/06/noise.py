from graphbus_core import GraphBusNode, subscribe
from stats import stdev, window


class Noise(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/BlankRecorded")
    def on_event(self, trace: list[float]) -> dict[str, float]:
        weighted = [x * w for x, w in zip(trace, window(len(trace)))]
        return {"raw": round(stdev(trace), 4), "weighted": round(stdev(weighted), 4)}
