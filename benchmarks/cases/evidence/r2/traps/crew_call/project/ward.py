from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Doctor:
    badge: int
    free: bool


class Ward(GraphBusNode):
    @schema_method
    def team(self, bed: int) -> Doctor:
        return Doctor(badge=700 + bed, free=bed > 4)
