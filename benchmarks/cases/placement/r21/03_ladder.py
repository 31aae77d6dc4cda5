# stateful
"""Keeps changes in the list that a cached function gave out: the caller edits it and the cache has it."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

HEIGHTS = (240, 360, 480, 720, 1080, 2160)
EFFICIENCY = {"h264": 1.0, "hevc": 0.6, "av1": 0.5}


@lru_cache(maxsize=None)
def renditions(codec: str, top: int) -> list[tuple[int, int]]:
    factor = EFFICIENCY.get(codec, 1.0)
    return [
        (height, round(height * height * 16 / 9 * 0.0027 * factor))
        for height in HEIGHTS
        if height <= top
    ]


def limit(ladder: list[tuple[int, int]], kbit: int) -> list[tuple[int, int]]:
    while len(ladder) > 1 and ladder[-1][1] > kbit:
        ladder.pop()
    return ladder


def describe(ladder: list[tuple[int, int]]) -> list[str]:
    return [f"{height}p@{rate}" for height, rate in ladder]


class Ladder(GraphBusNode):
    @subscribe("/Playback/Negotiate")
    def on_negotiate(self, codec: str, screen: int, kbit: int) -> dict[str, object]:
        top = min((height for height in HEIGHTS if height >= screen), default=HEIGHTS[-1])
        ladder = limit(renditions(codec, top), kbit)
        return {"codec": codec, "ladder": describe(ladder)}
