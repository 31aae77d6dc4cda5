from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DiskResult(TypedDict):
    text: str


class Disk(GraphBusNode):
    @depends_on("Sizer.sizes")
    @schema_method
    def allocate(self, block: int) -> DiskResult:
        return {"text": f"{block} bytes"}
