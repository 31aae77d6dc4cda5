# stateful
"""A bytearray is reused as the receive buffer: a shorter record shows the tail of the longer one before."""
from graphbus_core import GraphBusNode, subscribe

RECORD = 24


class ScanReader(GraphBusNode):
    """Reads fixed-width scanner records."""

    def __init__(self) -> None:
        super().__init__()
        self._frame = bytearray(b" " * RECORD)
        self._view = memoryview(self._frame)

    def _load(self, text: str) -> None:
        raw = text.encode("ascii", "replace")[:RECORD]
        self._view[: len(raw)] = raw

    @subscribe("/Scan/Record")
    def on_record(self, line: str) -> dict[str, str]:
        self._load(line)
        whole = bytes(self._view).decode("ascii")
        return {"form": whole[:4].strip(), "policy": whole[4:14].strip(), "name": whole[14:].strip()}
