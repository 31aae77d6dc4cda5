# stateful
"""Keeps the open bytes of an unfinished character in an incremental decoder made once."""
import codecs
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

STX, ETX = 0x02, 0x03


@dataclass(frozen=True, slots=True)
class Frame:
    device: int
    payload: bytes

    @classmethod
    def from_hex(cls, raw: str) -> "Frame":
        data = bytes.fromhex(raw)
        if len(data) < 4 or data[0] != STX or data[-1] != ETX:
            raise ValueError("framing")
        return cls(device=data[1], payload=data[2:-1])

    @property
    def checksum(self) -> int:
        value = 0
        for byte in self.payload:
            value ^= byte
        return value


to_text = codecs.getincrementaldecoder("utf-8")(errors="replace").decode


def describe(frame: Frame) -> str:
    return to_text(frame.payload).strip("\x00 ")


class MeterFrames(GraphBusNode):
    @subscribe("/meter/frame")
    def on_frame(self, raw: str) -> dict[str, object]:
        try:
            frame = Frame.from_hex(raw)
        except ValueError as error:
            return {"error": str(error)}
        return {"device": frame.device, "text": describe(frame), "xor": f"{frame.checksum:02x}"}
