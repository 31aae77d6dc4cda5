# pure
"""Keeps nothing: the variant follows from a checksum of the profile and the experiment's name."""
import zlib
from itertools import accumulate
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Chooser = Callable[[str], str]


def bucket(salt: str, profile: str, size: int = 1000) -> int:
    return zlib.crc32(f"{salt}/{profile}".encode()) % size


def weighted(salt: str, **weights: int) -> Chooser:
    total = sum(weights.values())
    edges = list(zip(accumulate(weights.values()), weights))

    def choose(profile: str) -> str:
        number = bucket(salt, profile, total)
        return next(name for edge, name in edges if number < edge)

    return choose


def gated(share: int, salt: str, inner: Chooser) -> Chooser:
    def choose(profile: str) -> str:
        return inner(profile) if bucket("gate-" + salt, profile) < share * 10 else "control"

    return choose


EXPERIMENTS: dict[str, Chooser] = {
    "autoplay": weighted("ap7", control=50, short=25, long=25),
    "artwork": gated(40, "art", weighted("aw2", faces=1, scenery=1, text=1)),
}


class Experiment(GraphBusNode):
    @subscribe("/Session/Opened")
    def on_opened(self, profile: str, kids: bool) -> dict[str, object]:
        running = {name: choose(profile) for name, choose in EXPERIMENTS.items()}
        if kids:
            running["autoplay"] = "control"
        return {"profile": profile, "variants": running, "holdout": bucket("holdout", profile) < 50}
