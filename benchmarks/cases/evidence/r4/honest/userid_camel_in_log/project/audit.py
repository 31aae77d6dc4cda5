from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

AUTH_TO_AUDIT = {"user_id": "userID"}     # Auth.login -> Audit.note


class AuditResult(TypedDict):
    line: str


class Audit(GraphBusNode):
    @depends_on("Auth.login")
    @schema_method
    def note(self, userID: int) -> AuditResult:
        return {"line": f"login user={userID}"}
