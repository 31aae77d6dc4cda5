from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Item(TypedDict):
    link: str
    title: str


class Feed(GraphBusNode):
    @schema_method(output_schema={"entries": list[Item]})
    def read(self, lines: list[str]):
        return {"entries": [Item(link=line.split()[0], title=line.split()[1]) for line in lines]}
