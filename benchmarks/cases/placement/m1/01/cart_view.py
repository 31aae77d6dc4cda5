from graphbus_core import GraphBusNode, subscribe

from pricing import price_for, shipping


class CartView(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.labels = {"DE": "inkl. MwSt.", "FR": "TTC"}

    @subscribe("/Shop/CartShown")
    def on_event(self, net: int, country: str, grams: int) -> dict[str, object]:
        p = price_for(net, country)
        return {"gross": p.gross, "ship": shipping(grams), "label": self.labels.get(country, "incl. VAT")}
