# stateful
"""The log handler comes off after each event, but the level set on the named logger stays."""
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from graphbus_core import GraphBusNode, subscribe

logging.getLogger("triage").propagate = False
logging.getLogger("triage").setLevel(logging.WARNING)


class ListHandler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname}: {record.getMessage()}")


@contextmanager
def recording(logger: logging.Logger) -> Iterator[list[str]]:
    handler = ListHandler()
    logger.addHandler(handler)
    try:
        yield handler.lines
    finally:
        logger.removeHandler(handler)
        handler.close()


def score(log: logging.Logger, pulse: int, oxygen: int, pain: int) -> int:
    points = 0
    if pulse > 130 or pulse < 40:
        log.warning("pulse %d", pulse)
        points += 3
    log.debug("points after pulse: %d", points)
    if oxygen < 92:
        log.warning("oxygen %d%%", oxygen)
        points += 3
    log.debug("points after oxygen: %d", points)
    points += pain // 4
    log.info("total %d", points)
    return points


class Triage(GraphBusNode):
    @subscribe("/Hospital/Arrival")
    def on_arrival(self, bay: str, pulse: int, oxygen: int, pain: int, detailed: bool) -> dict[str, object]:
        log = logging.getLogger(f"triage.{bay}")
        if detailed:
            log.setLevel(logging.DEBUG)
        with recording(log) as lines:
            points = score(log, pulse, oxygen, pain)
        return {"bay": bay, "points": points, "urgent": points >= 3, "log": lines}
