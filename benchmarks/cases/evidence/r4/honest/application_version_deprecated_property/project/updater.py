from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class UpdaterResult(TypedDict):
    update: bool


class Updater(GraphBusNode):
    @depends_on("Nvr.info")
    @schema_method
    def check(self, applicationVersion: str) -> UpdaterResult:
        return {"update": applicationVersion < "6.2"}
