from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SettingsResult(TypedDict):
    num_workers: int
    num_tiles: int


class Settings(GraphBusNode):
    @schema_method
    def read(self, profile: str) -> SettingsResult:
        return {"num_workers": 4, "num_tiles": 64}
