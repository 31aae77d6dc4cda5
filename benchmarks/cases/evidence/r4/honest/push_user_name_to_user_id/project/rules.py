from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class RulesResult(TypedDict):
    user_id: str
    display: str


class Rules(GraphBusNode):
    @schema_method
    def evaluate(self, event: str) -> RulesResult:
        return {"user_id": "@" + event + ":hs", "display": event.title()}
