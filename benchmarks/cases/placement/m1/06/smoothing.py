from graphbus_core import GraphBusNode, subscribe
from stats import kernel, mean


class Smoothing(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/TraceRecorded")
    def on_event(self, trace: list[float], width: int) -> dict[str, float]:
        k = kernel(width)
        out = [sum(a * b for a, b in zip(trace[i:], k)) for i in range(len(trace))]
        return {"mean": round(mean(out), 4), "peak": round(max(out, default=0.0), 4)}
