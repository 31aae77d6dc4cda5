from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from types_ import TrackId


class PlayerResult(TypedDict):
    text: str


class Player(GraphBusNode):
    @depends_on("Library.pick")
    @schema_method
    def play(self, song: TrackId) -> PlayerResult:
        return {"text": f"playing #{song}"}
