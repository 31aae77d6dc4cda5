from dataclasses import dataclass
from datetime import date

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Day:
    weekday: int
    open: bool


class Rota(GraphBusNode):
    @schema_method
    def day(self, iso: str) -> Day:
        d = date.fromisoformat(iso)
        return Day(d.weekday(), d.weekday() < 5)
