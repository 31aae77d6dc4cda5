import os

from graphbus_core import GraphBusNode, subscribe


class FuelDesk(GraphBusNode):
    @subscribe("/Post/Fuel")
    def on_price(self, cents_per_litre: int) -> str:
        factor = 1 + max(0, cents_per_litre - 150) / 500
        os.environ["PARCEL_FUEL"] = f"{factor:.3f}"
        return "noted"
