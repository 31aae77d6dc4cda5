from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method
from ids import MemberId


class Match(TypedDict):
    giver: MemberId
    taker: MemberId
    book: str


class Swap(GraphBusNode):
    @schema_method
    def match(self, book: str) -> Match:
        return {"giver": MemberId("ann"), "taker": MemberId("bo"), "book": book}
