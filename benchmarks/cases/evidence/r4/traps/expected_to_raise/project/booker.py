from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Booked(TypedDict):
    lead: str
    expected: float


class Booker(GraphBusNode):
    @depends_on("Ranker.rank")
    @schema_method
    def book(self, lead: str, probability: float) -> Booked:
        if probability > 1:
            raise ValueError("a probability is at most 1")
        return {"lead": lead, "expected": 1000 * probability}
