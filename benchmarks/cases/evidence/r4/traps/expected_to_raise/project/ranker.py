from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Ranked(TypedDict):
    lead: str
    score: float


class Ranker(GraphBusNode):
    @schema_method
    def rank(self, lead: str) -> Ranked:
        return {"lead": lead, "score": len(lead) * 10.0}
