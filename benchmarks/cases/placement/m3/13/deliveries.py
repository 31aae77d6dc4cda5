import alerts
from graphbus_core import GraphBusNode, subscribe
from stock import LARDER

alerts.attach(LARDER)


class DeliveryDoor(GraphBusNode):
    @subscribe("/Kitchen/Delivered")
    def delivered(self, item: str, kilos: float) -> str:
        grams = round(kilos * 1000)
        LARDER.put(item, grams)
        return f"put away {grams} g of {item}"
