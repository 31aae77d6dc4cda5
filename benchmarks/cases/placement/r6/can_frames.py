# stateful
"""The C structure is filled anew only as far as the event's data reach; what lies behind is from frames before."""
import ctypes

from graphbus_core import GraphBusNode, subscribe


class Frame(ctypes.BigEndianStructure):
    _pack_ = 1
    _fields_ = [
        ("ident", ctypes.c_uint32),
        ("length", ctypes.c_uint8),
        ("flags", ctypes.c_uint8),
        ("data", ctypes.c_uint8 * 8),
        ("check", ctypes.c_uint8),
    ]


def xor_check(raw: bytes) -> int:
    value = 0x5A
    for byte in raw:
        value ^= byte
    return value


class CanFrames(GraphBusNode):
    EXTENDED = 0x80

    def __init__(self) -> None:
        super().__init__()
        self._frame = Frame()

    @subscribe("/can/send")
    def on_send(self, ident: int, payload: list[int]) -> dict[str, object]:
        if len(payload) > 8:
            return {"error": "too long"}
        frame = self._frame
        frame.ident = ident
        frame.length = len(payload)
        frame.flags = self.EXTENDED if ident > 0x7FF else 0
        for place, byte in enumerate(payload):
            frame.data[place] = byte & 0xFF
        frame.check = xor_check(bytes(frame)[:-1])
        return {"ident": ident, "wire": bytes(frame).hex()}
