# stateful
"""Sends DMX-like frames to the stage lamps."""
import struct

from graphbus_core import GraphBusNode, subscribe

CHANNELS = 8
FRAME = bytearray(CHANNELS * 2)


def put(lamp, level):
    struct.pack_into(">H", FRAME, lamp * 2, max(0, min(level, 0xFFFF)))


class LampFrame(GraphBusNode):
    @subscribe("/Stage/Cue")
    def on_cue(self, payload):
        for lamp, level in payload["lamps"]:
            put(lamp, level)
        self.publish("/Stage/Frame", {"frame": FRAME.hex()})
