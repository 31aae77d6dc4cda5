# pure
"""Draws three items of a lot, repeatable by the lot's name."""
from graphbus_core import GraphBusNode, subscribe
import random
import zlib


class SampleNode(GraphBusNode):
    @subscribe("/In")
    def on_lot(self, event):
        rng = random.Random(zlib.crc32(event["lot"].encode()))
        items = sorted(rng.sample(range(event["size"]), 3))
        return {"items": items, "total": sum(items)}
