import hashlib
from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Submitted(TypedDict):
    login: str
    password: str


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Form(GraphBusNode):
    @schema_method
    def submit(self, login: str) -> Submitted:
        return {"login": login, "password": "sesame"}


class UserStore(GraphBusNode):
    def __init__(self):
        self.users: dict[str, str] = {}

    @depends_on("Form.submit")
    @schema_method
    def save(self, login: str, password_hash: str) -> dict[str, bool]:
        self.users[login] = password_hash
        return {"saved": True}
