from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PackageResult(TypedDict):
    filename: str
    folder: str


class Package(GraphBusNode):
    @schema_method
    def locate(self, band: str) -> PackageResult:
        return {"filename": f"TC_{band}.dat", "folder": "filters"}
