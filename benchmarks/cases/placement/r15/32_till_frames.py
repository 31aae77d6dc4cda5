# stateful
"""Keeps what one read left over in an operating system pipe: the tail of a long receipt stands before the next one."""
import os

from graphbus_core import GraphBusNode, subscribe

CHUNK = 40


class Loop:
    """A pipe to itself, so that the frame passes the same code as on the till's cable."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)

    def through(self, frame: bytes) -> bytes:
        try:
            os.write(self._in, frame)
            return os.read(self._out, CHUNK)
        except BlockingIOError:
            return b""


def encode(till: int, items: list[str], cents: int) -> bytes:
    body = ",".join(item.strip()[:10] for item in items)
    return f"<{till:02d}|{body}|{cents}>".encode("ascii", "replace")


def decode(frame: bytes) -> dict[str, object]:
    text = frame.decode("ascii").strip("<>")
    fields = text.split("|")
    if len(fields) != 3:
        return {"ok": False, "fields": len(fields)}
    return {"ok": True, "till": fields[0], "items": fields[1].split(","), "cents": fields[2]}


class TillFrames(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._loop = Loop()

    @subscribe("/Till/Receipt")
    def on_receipt(self, till: int, items: list[str], cents: int) -> dict[str, object]:
        return decode(self._loop.through(encode(till, items, cents)))
