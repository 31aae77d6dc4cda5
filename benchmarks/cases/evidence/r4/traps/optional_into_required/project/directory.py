from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Person(TypedDict):
    name: str
    manager: str | None


class Directory(GraphBusNode):
    tree = {"ann": "bob", "bob": None}

    @schema_method
    def person(self, name: str) -> Person:
        return {"name": name, "manager": self.tree[name]}
