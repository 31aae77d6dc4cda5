from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SignupResult(TypedDict):
    login: str
    mail: str


class Signup(GraphBusNode):
    @schema_method
    def register(self, mail: str) -> SignupResult:
        return {"login": mail.split("@")[0], "mail": mail}
