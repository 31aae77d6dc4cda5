from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Hung:
    hook: int
    owner: str


class Cloakroom(GraphBusNode):
    @schema_method
    def hang(self, owner: str) -> Hung:
        return Hung(hook=118, owner=owner)


class Tag(GraphBusNode):
    @depends_on("Cloakroom.hang")
    @schema_method
    def print(self, hook: str) -> dict[str, str]:
        return {"text": f"No. {hook}"}
