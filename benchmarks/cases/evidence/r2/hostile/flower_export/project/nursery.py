from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Plant:
    name: str
    blooms: str


class Nursery(GraphBusNode):
    @schema_method
    def list(self, bed: int) -> Plant:
        return Plant("iris", "May")


class Catalogue(GraphBusNode):
    @depends_on("Nursery.list")
    @schema_method
    def add(self, name: str, flowering: str) -> dict[str, str]:
        return {"entry": f"{name} ({flowering})"}
