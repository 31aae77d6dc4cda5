from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class AuthResult(TypedDict):
    user_id: int
    session_id: int


class Auth(GraphBusNode):
    @schema_method
    def login(self, name: str) -> AuthResult:
        return {"user_id": 40 + len(name), "session_id": 9}
