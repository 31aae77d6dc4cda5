from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Entry(TypedDict):
    url: str
    title: str


class Index(GraphBusNode):
    @depends_on("Feed.read")
    @schema_method(input_schema={"entries": list[Entry]}, output_schema={"index": dict[str, str]})
    def add(self, entries):
        return {"index": {entry["title"]: entry["url"] for entry in entries}}
