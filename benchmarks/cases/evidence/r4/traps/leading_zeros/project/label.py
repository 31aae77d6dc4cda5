from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Printed(TypedDict):
    text: str


class Label(GraphBusNode):
    @depends_on("Catalogue.find")
    @schema_method
    def print_label(self, ean: int, title: str) -> Printed:
        return {"text": f"{title}|{ean}|{ean % 97:02d}"}
