# pure
"""The primed compressor is cloned before use, so its dictionary never grows."""
import zlib

from graphbus_core import GraphBusNode, subscribe

COMMON = b" the of and to in is was it for on that with as be at by not or have "


class Sizer:
    def __init__(self):
        self._primed = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=COMMON)

    def size(self, *texts):
        z = self._primed.copy()
        total = 0
        for t in texts:
            total += len(z.compress(t.encode()))
        return total + len(z.flush())


def normalise(text):
    return " ".join(text.casefold().split())


class Similarity(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.sizer = Sizer()

    def distance(self, a, b):
        ca, cb = self.sizer.size(a), self.sizer.size(b)
        both = min(self.sizer.size(a, b), self.sizer.size(b, a))
        return (both - min(ca, cb)) / max(ca, cb)

    @subscribe("/essays/pair")
    def on_pair(self, left: str, right: str) -> dict:
        a, b = normalise(left), normalise(right)
        d = self.distance(a, b)
        shared = sorted(set(a.split()) & set(b.split()))
        return {
            "distance": round(d, 3),
            "shared": shared,
            "suspicious": d < 0.4 and len(shared) > 2,
        }
