# pure
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe


class MenuFilter(GraphBusNode):
    def __init__(self):
        super().__init__()
        contains = {}
        for dish, *allergens in (("bread", "gluten"), ("satay", "nuts", "soy"), ("rice",)):
            contains[dish] = frozenset(allergens)
        self._contains = MappingProxyType(contains)

    @subscribe("/Guest/Seated")
    def on_seated(self, payload):
        avoid = set(payload["allergies"])
        self.publish("/Guest/Menu", {"dishes": [d for d, a in self._contains.items() if not a & avoid]})
