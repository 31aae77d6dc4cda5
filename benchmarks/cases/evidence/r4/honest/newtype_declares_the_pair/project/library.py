from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from types_ import Seconds, TrackId


class LibraryResult(TypedDict):
    track: TrackId
    length: Seconds


class Library(GraphBusNode):
    @schema_method
    def pick(self, mood: str) -> LibraryResult:
        return {"track": TrackId(77), "length": Seconds(180)}
