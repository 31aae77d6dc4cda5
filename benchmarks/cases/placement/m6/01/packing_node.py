from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

from basket import Basket
from catalog import Category

BOX_LIMIT = 1600
KEEP_APART = {Category.FOOD: "cool", Category.BOOK: "dry", Category.TOOL: "dry"}


class PackingNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.limit = BOX_LIMIT

    def _fill(self, pieces: list[tuple[int, str]]) -> list[list[str]]:
        boxes: list[list[str]] = []
        room: list[int] = []
        for grams, sku in sorted(pieces, reverse=True):
            for i, left in enumerate(room):
                if grams <= left:
                    boxes[i].append(sku)
                    room[i] -= grams
                    break
            else:
                boxes.append([sku])
                room.append(self.limit - grams)
        return boxes

    @subscribe("/Pack")
    def on_pack(self, skus: list[str]) -> dict:
        by_kind: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for product, count in Basket.of(skus).products():
            by_kind[KEEP_APART[product.category]].extend([(product.grams, product.sku)] * count)
        return {kind: self._fill(pieces) for kind, pieces in sorted(by_kind.items())}
