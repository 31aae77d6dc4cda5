from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class UploaderResult(TypedDict):
    ok: bool


class Uploader(GraphBusNode):
    @depends_on("Quota.read")
    @schema_method
    def upload(self, user: str, max_bytes: int) -> UploaderResult:
        return {"ok": max_bytes >= 1000}
