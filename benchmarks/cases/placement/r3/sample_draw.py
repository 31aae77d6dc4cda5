# pure
import random
import zlib

from graphbus_core import GraphBusNode, subscribe


class SampleDraw(GraphBusNode):
    """Draws the parts that quality control opens; the same lot, the same parts."""

    SHARE = 0.2

    @subscribe("/Lot/Finished")
    def on_lot(self, payload):
        parts = list(range(1, payload["parts"] + 1))
        rng = random.Random(zlib.crc32(payload["lot"].encode()))
        rng.shuffle(parts)
        take = max(1, int(len(parts) * self.SHARE))
        chosen = []
        while len(chosen) < take:
            chosen.append(parts.pop())
        self.publish("/Lot/Sample", {"lot": payload["lot"], "open": sorted(chosen)})
