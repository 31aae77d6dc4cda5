from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType


@dataclass(frozen=True)
class Step:
    name: str
    minutes: int
    celsius: int = 20


PCR = (Step("denature", 1, 95), Step("anneal", 1, 55), Step("extend", 2, 72))
ELISA = (Step("coat", 60), Step("block", 30), Step("wash", 5), Step("read", 10))
PROTOCOLS = MappingProxyType({"pcr": PCR, "elisa": ELISA})


def scaled(steps: tuple[Step, ...], factor: int) -> tuple[Step, ...]:
    return tuple(replace(s, minutes=s.minutes * factor) for s in steps)
