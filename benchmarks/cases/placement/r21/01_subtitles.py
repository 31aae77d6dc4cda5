# pure
"""Keeps nothing: the filters are composed once and hold only their settings."""
import re
from functools import reduce
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Filter = Callable[[list[str]], list[str]]


def per_line(function: Callable[[str], str]) -> Filter:
    return lambda lines: [function(line) for line in lines]


def drop_matching(pattern: str) -> Filter:
    compiled = re.compile(pattern)
    return lambda lines: [line for line in lines if not compiled.fullmatch(line)]


def wrap_at(width: int) -> Filter:
    def wrapped(lines: list[str]) -> list[str]:
        out: list[str] = []
        for line in lines:
            while len(line) > width:
                cut = line.rfind(" ", 0, width + 1)
                cut = cut if cut > 0 else width
                out.append(line[:cut])
                line = line[cut:].strip()
            out.append(line)
        return out

    return wrapped


def compose(*filters: Filter) -> Filter:
    return lambda lines: reduce(lambda current, step: step(current), filters, lines)


STYLES = {
    "plain": compose(per_line(str.strip), drop_matching(r""), wrap_at(36)),
    "clean": compose(per_line(str.strip), drop_matching(r"|[\[(].*[\])]|♪.*"), wrap_at(28)),
}


class Subtitles(GraphBusNode):
    @subscribe("/Subtitle/Cue")
    def on_cue(self, text: str, style: str, start_ms: int) -> dict[str, object]:
        lines = STYLES.get(style, STYLES["plain"])(text.split("\n"))
        seconds, millis = divmod(start_ms, 1000)
        stamp = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},{millis:03d}"
        return {"start": stamp, "lines": lines, "reading_ms": 60 * sum(map(len, lines))}
