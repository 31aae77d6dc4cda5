from collections import Counter

from graphbus_core import GraphBusNode, subscribe


def window(size):
    held = ""
    part = yield None
    while True:
        held += part
        out = [held[i:i + size] for i in range(len(held) - size + 1)]
        held = held[len(held) - size + 1:] if len(held) >= size else held
        part = yield out


def kmers(seq, size):
    for i in range(len(seq) - size + 1):
        yield seq[i:i + size]


class StreamKmers(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.pump = window(4)
        next(self.pump)

    @subscribe("/Reads/Chunk")
    def on_chunk(self, bases: str) -> list:
        return self.pump.send(bases)


class KmerProfile(GraphBusNode):
    @subscribe("/Reads/Profile")
    def on_read(self, bases: str, size: int) -> list:
        counts = Counter(kmers(bases, size))
        return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:3]


class QualityTrim(GraphBusNode):
    @subscribe("/Reads/Trim")
    def on_read(self, bases: str, quality: str, floor: int) -> str:
        best, start, total, cut = 0, 0, 0, (0, 0)
        for i, q in enumerate(quality[:len(bases)]):
            total += ord(q) - 33 - floor
            if total <= 0:
                total, start = 0, i + 1
            elif total > best:
                best, cut = total, (start, i + 1)
        return bases[slice(*cut)]
