# stateful
"""Keeps unread bytes in the kernel: a long frame is read only in part, and its rest comes before the next one."""
from __future__ import annotations

import socket
import struct
import zlib

from graphbus_core import GraphBusNode, subscribe

HEAD = struct.Struct(">BH")
READ = 48


def frame(kind: int, text: str) -> bytes:
    body = text.encode("utf-8")[:400]
    return HEAD.pack(kind, len(body)) + body


class Wire:
    """Both ends of the loop-back that the printer driver was written against."""

    def __init__(self) -> None:
        self.near, self.far = socket.socketpair()
        self.near.setblocking(False)
        self.far.setblocking(False)

    def echo(self, data: bytes) -> bytes:
        self.near.sendall(data)
        return self.far.recv(READ)


class LabelWire(GraphBusNode):
    KINDS = {"parcel": 1, "pallet": 2, "shelf": 3}

    def __init__(self) -> None:
        super().__init__()
        self._wire = Wire()

    @subscribe("/Labels")
    def on_label(self, kind: str, text: str) -> dict[str, object]:
        number = self.KINDS.get(kind.lower())
        if number is None:
            return {"error": f"no label {kind}"}
        try:
            answer = self._wire.echo(frame(number, text))
        except BlockingIOError:
            return {"error": "printer busy"}
        if len(answer) < HEAD.size:
            return {"error": "short answer"}
        echoed, length = HEAD.unpack_from(answer)
        printed = answer[HEAD.size:].decode("utf-8", "replace")
        return {"kind": echoed, "length": length, "printed": printed, "crc": zlib.crc32(answer)}
