from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Scan(TypedDict):
    lane: str
    barcode: str


class Scanner(GraphBusNode):
    @schema_method
    def scan(self) -> Scan:
        return {"lane": "3", "barcode": "4006381333931"}


class Shelf(GraphBusNode):
    GOODS = {"4006381333931": "pen"}

    @depends_on("Scanner.scan")
    @schema_method
    def lookup(self, code: str) -> dict[str, str]:
        return {"article": self.GOODS[code]}
