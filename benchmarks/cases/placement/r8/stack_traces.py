# pure
"""Keeps nothing: the patterns are a list made once, and each event gets fresh match objects."""
import re
from collections import Counter
from itertools import groupby
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Frame(NamedTuple):
    file: str
    line: int
    func: str


FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<func>\S+)$')
VENDOR = list(map(re.compile, [r"/site-packages/", r"^<frozen ", r"/lib/python3\.\d+/"]))


def frames(trace: str) -> list[Frame]:
    found = filter(None, map(FRAME.match, trace.splitlines()))
    return [Frame(m["file"], int(m["line"]), m["func"]) for m in found]


def ours(frame: Frame) -> bool:
    return not any(pattern.search(frame.file) for pattern in VENDOR)


def folded(stack: list[Frame]) -> list[str]:
    lines = []
    for func, run in groupby(stack, key=lambda f: f.func):
        times = len(list(run))
        lines.append(func if times == 1 else f"{func} x{times}")
    return lines


class StackTraces(GraphBusNode):
    @subscribe("/Crashes/Trace")
    def on_trace(self, app: str, trace: str) -> dict[str, object]:
        stack = frames(trace)
        own = [frame for frame in stack if ours(frame)]
        counts = Counter(frame.file for frame in own)
        culprit = own[-1] if own else None
        return {
            "key": f"{app}:{culprit.file}:{culprit.func}" if culprit else f"{app}:vendor",
            "stack": folded(stack),
            "files": counts.most_common(2),
        }
