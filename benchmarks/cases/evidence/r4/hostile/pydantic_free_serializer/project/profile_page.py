from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ProfileResult(TypedDict):
    html: str


class Profile(GraphBusNode):
    @depends_on("Avatar.make")
    @schema_method
    def show(self, picture: str) -> ProfileResult:
        return {"html": f"<img src='{picture}'>"}
