from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Text(TypedDict):
    text: str


class Label(GraphBusNode):
    @depends_on("Form.sent")
    @schema_method
    def print_(self, note: str) -> Text:
        return {"text": note or "(no note)"}
