# stateful
"""The sender closes over the values it has put on the wire and sends only those that are others now."""
import json
import socket
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

TARGET = ("127.0.0.1", 8125)


def make_sender(target: tuple[str, int]) -> Callable[[str, dict[str, float]], int]:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    wire: dict[str, float] = {}

    def send(prefix: str, values: dict[str, float]) -> int:
        full = {f"{prefix}.{name}": value for name, value in values.items()}
        changed = dict(sorted(full.items() - wire.items()))
        if changed:
            sock.sendto(json.dumps(changed).encode(), target)
            wire.update(changed)
        return len(full)

    return send


class TelemetryPush(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._send = make_sender(TARGET)

    @subscribe("/plc/values")
    def on_values(self, plc: str, level: float, flow: float) -> dict[str, object]:
        sent = self._send(plc, {"level": round(level, 1), "flow": round(flow, 2)})
        return {"plc": plc, "values": sent}
