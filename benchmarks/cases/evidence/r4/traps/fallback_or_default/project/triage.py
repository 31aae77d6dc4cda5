from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TriageResult(TypedDict):
    ticket: str
    severity: int


class Triage(GraphBusNode):
    @schema_method
    def assess(self, ticket: str) -> TriageResult:
        return {"ticket": ticket, "severity": 0 if "?" in ticket else 2}
