# pure
"""Keeps nothing: the log handler is taken off again after every check, and loggers hold no answer."""
from __future__ import annotations

import logging
from contextlib import contextmanager
from operator import itemgetter
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("coldroom.checks")
log.setLevel(logging.INFO)
log.propagate = False
log.addHandler(logging.NullHandler())

ROOMS = {"dairy": (1.0, 6.0), "fish": (-1.0, 2.0), "freezer": (-28.0, -18.0), "fruit": (6.0, 12.0)}


class Collector(logging.Handler):
    def __init__(self, level: int = logging.NOTSET) -> None:
        super().__init__(level)
        self.setFormatter(logging.Formatter("{levelname:.1}:{name}: {message}", style="{"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        record.levelname = record.levelname.title()
        self.lines.append(self.format(record))


@contextmanager
def collected(level: int) -> Iterator[list[str]]:
    handler = Collector(level)
    log.addHandler(handler)
    try:
        yield handler.lines
    finally:
        log.removeHandler(handler)
        handler.close()


class RoomCheck:
    def __init__(self, room: str) -> None:
        self.room = room
        self.log = logging.LoggerAdapter(log.getChild(room), {"room": room})
        self.worst = 0.0

    def see(self, minute: int, celsius: float) -> None:
        low, high = ROOMS[self.room]
        off = max(low - celsius, celsius - high, 0.0)
        if off > 3:
            self.log.error("minute %d: %.1f degrees off", minute, off)
        elif off:
            self.log.warning("minute %d: %.1f degrees off", minute, off)
        self.worst = max(self.worst, off)


class ColdRoomChecks(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._levels = {"all": logging.INFO, "bad": logging.ERROR}

    @subscribe("/Temperatures")
    def on_temperatures(self, room: str, curve: dict[str, float], show: str) -> dict[str, object]:
        with collected(self._levels.get(show, logging.WARNING)) as lines:
            if room not in ROOMS:
                log.error("no room %r", room)
                return {"lines": lines}
            check = RoomCheck(room)
            for minute, celsius in sorted(((int(m), c) for m, c in curve.items() if m.isdecimal()), key=itemgetter(0)):
                check.see(minute, celsius)
            log.info("%d readings", len(curve))
        return {"lines": lines, "worst": round(check.worst, 1)}
