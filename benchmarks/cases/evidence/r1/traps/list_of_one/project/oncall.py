from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class OnCall(TypedDict):
    mail: list[str]


class Crew(GraphBusNode):
    @schema_method
    def oncall(self) -> OnCall:
        return {"mail": ["a@x.example", "b@x.example"]}


class Pager(GraphBusNode):
    @depends_on("Crew.oncall")
    @schema_method
    def page(self, mail: str) -> dict[str, str]:
        return {"header": f"To: {mail}"}
