# stateful
"""A logging filter drops records it has let through before."""
import logging

from graphbus_core import GraphBusNode, subscribe


class OncePerText(logging.Filter):
    def __init__(self):
        super().__init__()
        self._let_through = set()

    def filter(self, record):
        key = record.levelno, record.getMessage()
        fresh = key not in self._let_through
        self._let_through.add(key)
        return fresh


class Outbox(logging.Handler):
    def __init__(self):
        super().__init__(logging.INFO)
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))

    def drain(self):
        lines, self.lines = self.lines, []
        return lines


log = logging.getLogger("plant.alarms")
log.propagate = False
log.setLevel(logging.INFO)
outbox = Outbox()
outbox.setFormatter(logging.Formatter("%(levelname).1s %(message)s"))
outbox.addFilter(OncePerText())
log.addHandler(outbox)


class Alarms(GraphBusNode):
    @subscribe("/plant/reading")
    def on_reading(self, sensor: str, level: str, value: int) -> dict:
        getattr(log, level)("%s reads %d bar", sensor, value)
        if value > 1 and level == "error":
            log.critical("shut %s down", sensor)
        return {"page": outbox.drain()}
