from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Scaled:
    servings: int
    steps: int


class Recipe(GraphBusNode):
    @schema_method
    def scale(self, guests: int) -> Scaled:
        return Scaled(servings=guests, steps=5)
