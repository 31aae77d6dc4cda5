# stateful
"""Keeps unread bytes in the kernel: the rest of a long payload stays in the pipe for the next event."""
import os

from graphbus_core import GraphBusNode, subscribe

_BLOCK = 16


class Channel:
    def __init__(self) -> None:
        self.source, self.sink = os.pipe()

    def exchange(self, payload: bytes) -> bytes:
        os.write(self.sink, payload)
        return os.read(self.source, _BLOCK)


class LegacyFilter(GraphBusNode):
    """Sends a label through the descriptor interface the old filter has."""

    def __init__(self) -> None:
        super().__init__()
        self._channel = Channel()

    @subscribe("/Label/Text")
    def on_event(self, label: str) -> dict[str, str]:
        raw = self._channel.exchange(label.encode("ascii", "replace") + b"\n")
        return {"label": raw.decode("ascii").rstrip("\n")}
