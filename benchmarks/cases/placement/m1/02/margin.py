from graphbus_core import GraphBusNode, subscribe

from catalog import find

COST_SHARE = {"kitchen": 0.4, "home": 0.55, "light": 0.5}


class Margin(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._by_sku: dict[str, float] = {}

    def _share(self, sku: str) -> float:
        if sku not in self._by_sku:
            tags = find(sku).tags
            self._by_sku[sku] = max((COST_SHARE[t] for t in tags), default=1.0)
        return self._by_sku[sku]

    @subscribe("/Shop/Sold")
    def on_event(self, sku: str, count: int) -> dict[str, int]:
        cents = find(sku).cents * count
        return {"margin": round(cents * (1 - self._share(sku)))}

    @subscribe("/Shop/Returned")
    def on_return(self, sku: str) -> dict[str, int]:
        return {"margin": -round(find(sku).cents * (1 - self._share(sku)))}
