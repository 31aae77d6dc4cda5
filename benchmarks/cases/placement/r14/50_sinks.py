# stateful
"""Keeps virtual subclasses: ABC.register changes what isinstance says from then on."""
from abc import ABC, abstractmethod

from graphbus_core import GraphBusNode, subscribe


class Sink(ABC):
    @abstractmethod
    def write(self, text: str) -> int: ...


class FileSink:
    def write(self, text: str) -> int:
        return len(text)


class NullSink:
    def write(self, text: str) -> int:
        return 0


class UpperSink(Sink):
    def write(self, text: str) -> int:
        return len(text.upper())


_KINDS = {"file": FileSink, "null": NullSink, "upper": UpperSink}


class Writer(GraphBusNode):
    @subscribe("/Sink/Write")
    def on_event(self, kind: str, text: str, trusted: bool) -> dict[str, object]:
        factory = _KINDS.get(kind, NullSink)
        if trusted:
            Sink.register(factory)
        sink = factory()
        if not isinstance(sink, Sink):
            return {"kind": kind, "written": None}
        return {"kind": kind, "written": sink.write(text)}
