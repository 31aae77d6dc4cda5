# pure
"""One socket is kept open, and each event becomes a datagram that says nothing but what the event says."""
import socket

from graphbus_core import GraphBusNode, subscribe

GATEWAY = ("127.0.0.1", 8125)
KINDS = {"timing": "ms", "gauge": "g", "counter": "c", "set": "s"}


def clean(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in name.strip().lower())


def render(name: str, kind: str, value: float, tags: dict[str, str]) -> bytes:
    text = f"{clean(name)}:{value:g}|{KINDS[kind]}"
    if tags:
        text += "|#" + ",".join(f"{clean(k)}:{clean(v)}" for k, v in sorted(tags.items()))
    return text.encode("ascii", "replace")


class StatsdRelay(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._sock.setblocking(False)

    @subscribe("/metric")
    def on_metric(self, name: str, kind: str, value: float, tags: dict[str, str]) -> dict[str, object]:
        if kind not in KINDS:
            return {"dropped": name}
        datagram = render(name, kind, value, tags)
        try:
            self._sock.sendto(datagram, GATEWAY)
        except BlockingIOError:
            pass
        return {"octets": len(datagram)}
