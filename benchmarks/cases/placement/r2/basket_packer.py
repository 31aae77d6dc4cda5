# pure
from graphbus_core import GraphBusNode, subscribe


def put(boxes, weight, limit=7):
    """Into the first box with room, else into a new one."""
    for box in boxes:
        if sum(box) + weight <= limit:
            box.append(weight)
            return
    boxes.append([weight])


class BasketPacker(GraphBusNode):
    @subscribe("/Basket/Filled")
    def on(self, payload):
        boxes = []
        for weight in payload["items"]:
            put(boxes, weight)
        self.publish("/Basket/Packed", {"boxes": boxes})
