from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Settings(TypedDict):
    verify: bool
    stream: bool


class Profile(GraphBusNode):
    @schema_method
    def get(self) -> Settings:
        return {"verify": True, "stream": False}


class Downloader(GraphBusNode):
    # streaming is what profiles call stream
    @depends_on("Profile.get")
    @schema_method
    def fetch(self, streaming: bool) -> dict[str, int]:
        return {"chunk": 1024 if streaming else -1}
