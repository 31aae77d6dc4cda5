from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Person(TypedDict):
    login: str


class Change(TypedDict):
    author: Person
    reviewer: Person


class ReviewResult(TypedDict):
    number: int
    change: Change


class Review(GraphBusNode):
    @schema_method
    def load(self, number: int) -> ReviewResult:
        return {"number": number, "change": {"author": {"login": "ann"}, "reviewer": {"login": "rob"}}}
