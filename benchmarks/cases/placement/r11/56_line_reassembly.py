# stateful
"""Pushes fragments through an operating-system pipe and takes out one line an event; further lines wait in the reader's buffer."""
import os

from graphbus_core import GraphBusNode, subscribe


class Spool:
    """The device driver expects file descriptors, so the bus events go through a pipe."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._reader = os.fdopen(reading, "rb")
        self._writing = writing

    def push(self, text: str) -> None:
        os.write(self._writing, text.encode("utf-8")[:4096])

    def head(self) -> bytes:
        return self._reader.readline() or b""


def _parse(line: bytes) -> dict[str, str]:
    pairs = (part.split("=", 1) for part in line.decode("utf-8", "replace").split() if "=" in part)
    return {key: value for key, value in pairs}


class LineReassembly(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._spool = Spool()

    @subscribe("/Scale/Fragment")
    def on_fragment(self, scale: int, text: str) -> dict:
        self._spool.push(text)
        values = _parse(self._spool.head())
        return {"scale": scale, "weight": values.get("w"), "unit": values.get("u", "kg")}
