from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Status:
    charge: float
    cycles: int


class Battery(GraphBusNode):
    @schema_method
    def status(self) -> Status:
        return Status(charge=0.83, cycles=211)
