from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Animal:
    owner: str
    chip_no: str
    kind: str


class Register(GraphBusNode):
    @schema_method
    def animal(self, name: str) -> Animal:
        return Animal("Kim", f"276-{name}", "cat")


class Vaccines(GraphBusNode):
    @depends_on("Register.animal")
    @schema_method
    def due(self, chip: str, kind: str) -> dict[str, str]:
        return {"due": f"{chip}: {'rabies' if kind == 'dog' else 'flu'}"}
