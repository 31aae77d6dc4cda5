from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Mail(TypedDict):
    to: str


class Mailer(GraphBusNode):
    @depends_on("Directory.person")
    @schema_method
    def remind(self, name: str, manager: str) -> Mail:
        return {"to": f"{manager}@example.org"}
