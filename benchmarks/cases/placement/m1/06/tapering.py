from graphbus_core import GraphBusNode, subscribe
import stats


class Tapering(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Lab/TaperAsked")
    def on_event(self, trace: list[float], gain: float) -> list[float]:
        w = stats.window(len(trace))
        for i, x in enumerate(trace):
            w[i] *= gain
        return [round(a * b, 4) for a, b in zip(w, trace)]
