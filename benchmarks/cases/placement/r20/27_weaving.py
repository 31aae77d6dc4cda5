# pure
"""Draws the cloth that a weaving draft makes; the cycles are made for each draft."""
from itertools import cycle, islice
from typing import Iterable

from graphbus_core import GraphBusNode, subscribe

SYMBOLS = {True: "#", False: "."}


def straight(shafts: int) -> list[int]:
    return list(range(1, shafts + 1))


def pointed(shafts: int) -> list[int]:
    up = straight(shafts)
    return up + up[-2:0:-1]


def broken(shafts: int) -> list[int]:
    up = straight(shafts)
    half = len(up) // 2
    return up[:half] + up[half:][::-1]


THREADINGS = {"straight": straight, "pointed": pointed, "broken": broken}


class Draft:
    def __init__(self, threading: Iterable[int], tie_up: dict[int, set[int]], width: int) -> None:
        self.warp = list(islice(cycle(threading), width))
        self.tie_up = tie_up

    def pick(self, treadle: int) -> str:
        lifted = self.tie_up.get(treadle, set())
        return "".join(SYMBOLS[shaft in lifted] for shaft in self.warp)

    def weave(self, treadling: Iterable[int], picks: int) -> list[str]:
        return [self.pick(t) for t in islice(cycle(treadling), picks)]


def longest_float(rows: list[str]) -> int:
    """Longest run of equal marks along the weft."""
    best = 0
    for row in rows:
        run, last = 0, ""
        for mark in row:
            run = run + 1 if mark == last else 1
            last = mark
            best = max(best, run)
    return best


class Loom(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.max_width = 24

    @subscribe("/Weaving/Draft")
    def on_draft(self, threading: str, shafts: int, tie_up: list[list[int]], treadling: list[int], width: int) -> dict[str, object]:
        make = THREADINGS.get(threading, straight)
        ties = {number: set(shaft_list) for number, shaft_list in enumerate(tie_up, 1)}
        draft = Draft(make(shafts), ties, min(width, self.max_width))
        cloth = draft.weave(treadling or sorted(ties), len(treadling) * 2 or 4)
        ends = {shaft: draft.warp.count(shaft) for shaft in sorted(set(draft.warp))}
        return {"cloth": cloth, "heddles": ends, "float": longest_float(cloth)}
