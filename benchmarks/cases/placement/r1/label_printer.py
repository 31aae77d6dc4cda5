# pure
import itertools

from graphbus_core import GraphBusNode, subscribe


class LabelPrinter(GraphBusNode):
    """Boxes of one consignment are numbered from one."""

    @subscribe("/Consignment/Packed")
    def on_packed(self, payload):
        counter = itertools.count(1)
        colours = itertools.cycle(["red", "blue"])
        labels = [f"{next(counter)}/{len(payload['boxes'])} {box} {next(colours)}" for box in payload["boxes"]]
        self.publish("/Consignment/Labels", {"labels": labels})
