from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Checked(TypedDict):
    sheets: int
    colour: bool


class Prepress(GraphBusNode):
    @schema_method
    def check(self, pdf: str) -> Checked:
        return {"sheets": 500, "colour": pdf.endswith("cmyk.pdf")}


class Offset(GraphBusNode):
    @depends_on("Prepress.check")
    @schema_method
    def run(self, pages: int, colour: bool) -> dict[str, int]:
        return {"plates": 4 if colour else 1, "minutes": pages // 100}
