# pure
from graphbus_core import GraphBusNode, subscribe


class ShoeSizer(GraphBusNode):
    SIZES = ((24, 38), (26, 41), (28, 44))

    @subscribe("/Foot/Measured")
    def on(self, payload):
        size = next((size for cm, size in self.SIZES if payload["cm"] <= cm), None)
        self.publish("/Shoe/Sized", {"size": size})
