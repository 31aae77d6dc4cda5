import zlib
from functools import cached_property

PREAMBLE = b"object accession room painter oil on canvas bronze marble engraving"


class Packer:
    def __init__(self, level: int = 6) -> None:
        self.level = level

    @cached_property
    def stream(self):
        return zlib.compressobj(self.level, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY, PREAMBLE)

    def pack(self, data: bytes) -> bytes:
        return self.stream.compress(data) + self.stream.flush(zlib.Z_SYNC_FLUSH)

    def pack_alone(self, data: bytes) -> bytes:
        own = self.stream.copy()
        return own.compress(data) + own.flush()


live = Packer()
archive = Packer(9)


def fingerprint(data: bytes) -> int:
    return zlib.crc32(data, 0xACCE55)


class Wall:
    """A wall of the room now being hung."""

    def __init__(self) -> None:
        self.works: list[tuple[int, int]] = []

    @cached_property
    def eye_level(self) -> int:
        heights = [h for _, h in self.works]
        return 1550 + (max(heights) - min(heights)) // 10

    def hang(self, works: list[tuple[int, int]], width: int) -> list[tuple[int, int]]:
        self.works = works
        gap = (width - sum(w for w, _ in works)) // (len(works) + 1)
        out, x = [], gap
        for w, h in works:
            out.append((x, self.eye_level - h // 2))
            x += w + gap
        return out


WALL = Wall()
