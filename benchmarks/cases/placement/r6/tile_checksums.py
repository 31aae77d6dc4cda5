# pure
"""The pool of threads is kept for the next event, and map gives the results back in the order of the tiles."""
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from graphbus_core import GraphBusNode, subscribe


def tile_sum(rows: list[str], size: int, corner: tuple[int, int]) -> str:
    top, left = corner
    block = "\n".join(row[left:left + size] for row in rows[top:top + size])
    return f"{zlib.adler32(block.encode()):08x}"


class TileChecksums(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._pool: ThreadPoolExecutor | None = None

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=3, thread_name_prefix="tiles")
        return self._pool

    @subscribe("/raster/changed")
    def on_changed(self, name: str, rows: list[str], size: int) -> dict[str, object]:
        width = max(map(len, rows), default=0)
        corners = [(y, x) for y in range(0, len(rows), size) for x in range(0, width, size)]
        sums = list(self._threads().map(partial(tile_sum, rows, size), corners))
        return {"name": name, "tiles": len(corners), "sums": sums}
