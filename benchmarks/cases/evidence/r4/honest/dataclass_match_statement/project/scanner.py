from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass(frozen=True)
class Frame:
    kind: str
    payload: bytes
    crc: bytes


class Scanner(GraphBusNode):
    @schema_method
    def next(self, n: int) -> Frame:
        return Frame("data", b"abc" * n, b"\x00")
