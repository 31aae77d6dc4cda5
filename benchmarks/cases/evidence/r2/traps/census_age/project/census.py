from typing import Optional, TypedDict

from graphbus_core import GraphBusNode, schema_method


class Person(TypedDict):
    name: str
    age: Optional[int]


class Census(GraphBusNode):
    @schema_method
    def person(self, number: int) -> Person:
        return {"name": "Z.", "age": None if number == 13 else 70}
