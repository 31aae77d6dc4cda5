from graphbus_core import GraphBusNode, subscribe

from settings import overlay


class Outlook(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.recent: list[float] = []

    @subscribe("/Weather/Outlook/Asked")
    def outlook(self, hours: list, options: dict) -> dict:
        cfg = overlay("forecast", options)
        self.recent.clear()
        for t, v in hours[:int(cfg["horizon"])]:
            p = v ** 0.16
            self.recent.append(13.12 + 0.6215 * t - 11.37 * p + 0.3965 * t * p if t <= 10 and v >= 5 else t)
        felt = [round(x, 1) for x in self.recent]
        return {"station": cfg["station"], "felt": felt, "coldest": min(felt, default=None)}
