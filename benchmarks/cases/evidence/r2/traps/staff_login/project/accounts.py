from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass(frozen=True)
class Person:
    name: str
    email: str


class Directory(GraphBusNode):
    @schema_method
    def lookup(self, name: str) -> Person:
        return Person(name, f"{name.lower()}@uni.example")


class Shell(GraphBusNode):
    @depends_on("Directory.lookup")
    @schema_method
    def create(self, login: str) -> dict[str, str]:
        return {"home": f"/home/{login}"}
