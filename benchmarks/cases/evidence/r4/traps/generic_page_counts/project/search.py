from dataclasses import dataclass
from typing import Generic, TypeVar

from graphbus_core import GraphBusNode, schema_method

T = TypeVar("T")


@dataclass
class Page(Generic[T]):
    items: list[T]
    count: int
    total: int


class Search(GraphBusNode):
    @schema_method
    def find(self, query: str, start: int = 0) -> Page[str]:
        found = [f"{query}-{i}" for i in range(25)]
        return Page(found[start:start + 10], len(found[start:start + 10]), len(found))
