# pure
"""Keeps nothing: the pool of threads and the queue are the event's own, and results are put in order."""
import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, order=True)
class Tile:
    row: int
    column: int
    values: tuple[int, ...]


class Tally:
    """Counts from several threads at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, int] = {}

    def add(self, name: str, number: int = 1) -> None:
        with self._lock:
            self._counts[name] = self._counts.get(name, 0) + number

    def result(self) -> dict[str, int]:
        with self._lock:
            return dict(sorted(self._counts.items()))


def cut(pixels: list[list[int]], size: int) -> list[Tile]:
    tiles = []
    for top in range(0, len(pixels), size):
        width = max(map(len, pixels[top : top + size]), default=0)
        for left in range(0, width, size):
            values = tuple(value for row in pixels[top : top + size] for value in row[left : left + size])
            tiles.append(Tile(top // size, left // size, values))
    return tiles


def work(tile: Tile, tally: Tally, dark: "queue.SimpleQueue[Tile]") -> float:
    mean = sum(tile.values) / len(tile.values) if tile.values else 0.0
    tally.add("bright" if mean >= 128 else "dark")
    tally.add("pixels", len(tile.values))
    if mean < 128:
        dark.put(tile)
    return round(mean, 1)


class ImageTiles(GraphBusNode):
    @subscribe("/Satellite/Image")
    def on_image(self, scene: str, pixels: list[list[int]], size: int) -> dict[str, object]:
        tiles = cut(pixels, max(1, size))
        tally, dark = Tally(), queue.SimpleQueue()
        with ThreadPoolExecutor(max_workers=3) as pool:
            means = list(pool.map(lambda tile: work(tile, tally, dark), tiles))
        found = sorted(dark.get() for _ in range(dark.qsize()))
        return {
            "scene": scene,
            "means": means,
            "tally": tally.result(),
            "dark": [f"{tile.row}/{tile.column}" for tile in found],
        }
