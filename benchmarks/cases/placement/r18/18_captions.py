# stateful
"""The wrapper object of the screen keeps the width and indent that the last event with such options gave it."""
from __future__ import annotations

import re
import textwrap

from graphbus_core import GraphBusNode, subscribe

STAMP = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})")
READING_SPEED = 17


def screen() -> textwrap.TextWrapper:
    return textwrap.TextWrapper(width=37, break_long_words=False, max_lines=3, placeholder=" […]")


def milliseconds(stamp: str) -> int:
    found = STAMP.fullmatch(stamp.strip())
    if not found:
        raise ValueError(f"bad time {stamp!r}")
    hours, minutes, seconds, fraction = found.groups(default="0")
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))


def clock(ms: int) -> str:
    seconds, ms = divmod(ms, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},{ms:03d}"


class Captions(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.wrapper = screen()

    def layout(self, options: dict[str, int]) -> textwrap.TextWrapper:
        wrapper = self.wrapper
        for name in ("width", "max_lines"):
            if options.get(name, 0) > 0:
                setattr(wrapper, name, options[name])
        return wrapper

    @subscribe("/Film/Caption")
    def on_caption(self, start: str, text: str, options: dict[str, int]) -> dict[str, object]:
        try:
            begin = milliseconds(start)
        except ValueError as problem:
            return {"error": str(problem)}
        lines = self.layout(options).wrap(text.replace("--", "—"))
        shown = sum(map(len, lines))
        return {"lines": lines, "start": clock(begin), "end": clock(begin + max(900, shown * 1000 // READING_SPEED))}

    @subscribe("/Film/Shift")
    def on_shift(self, stamps: list[str], offset: int) -> dict[str, object]:
        moved, wrong = [], []
        for stamp in stamps:
            try:
                moved.append(clock(max(0, milliseconds(stamp) + offset)))
            except ValueError:
                wrong.append(stamp)
        return {"moved": moved, "wrong": wrong}
