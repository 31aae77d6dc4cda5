# stateful
"""Writes the lines of a page into one temporary file that stays open; the offset in the answer is that of all lines so far."""
from __future__ import annotations

import tempfile
import zlib
from typing import IO

from graphbus_core import GraphBusNode, subscribe

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def record(level: str, source: str, text: str) -> bytes:
    clean = " ".join(text.split())
    body = f"{LEVELS.get(level, 0):02d}|{source:<10.10}|{clean}"
    return f"{body}|{zlib.crc32(body.encode()):08x}\n".encode()


class Spool:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    @property
    def handle(self) -> IO[bytes]:
        if "_handle" not in self.__dict__:
            self._handle = tempfile.TemporaryFile()
        return self._handle

    def write(self, data: bytes) -> tuple[int, int]:
        out = self.handle
        if out.tell() + len(data) > self.limit:
            out.seek(0)
            out.truncate()
        start = out.tell()
        return start, start + out.write(data)


class Journal(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.spool = Spool(limit=400)

    @subscribe("/System/Log")
    def on_log(self, level: str, source: str, text: str) -> dict[str, object]:
        if level == "debug":
            return {"kept": False}
        start, end = self.spool.write(record(level, source, text))
        return {"kept": True, "start": start, "end": end}
