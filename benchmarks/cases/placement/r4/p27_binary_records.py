# pure
"""Packs meter values into a frame with a check sum and reads it back."""
from graphbus_core import GraphBusNode, subscribe
import struct

HEAD = struct.Struct(">HB")
BODY = struct.Struct(">I")


class MeterNode(GraphBusNode):
    @subscribe("/In")
    def on_frame(self, event):
        values = event["values"]
        frame = bytearray(HEAD.size + BODY.size * len(values))
        view = memoryview(frame)
        for i, value in enumerate(values):
            BODY.pack_into(view, HEAD.size + i * BODY.size, value)
        check = sum(view[HEAD.size:]) & 0xFFFF
        HEAD.pack_into(view, 0, check, len(values))
        read = [v for (v,) in BODY.iter_unpack(view[HEAD.size:])]
        return {"hex": frame.hex(), "total": check + sum(read)}
