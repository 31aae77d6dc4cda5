from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Member(TypedDict):
    nick: str
    full: str


class Members(GraphBusNode):
    @schema_method
    def get(self, no: int) -> Member:
        return {"nick": "" if no % 2 else "Zed", "full": "Zora Edison"}


class Badge(GraphBusNode):
    @depends_on("Members.get")
    @schema_method
    def emboss(self, shown_as: str) -> dict[str, str]:
        return {"badge": f"*{shown_as}*"}
