# pure
"""Keeps nothing: the log handler is taken off again, whatever happens."""
import logging
import queue
from contextlib import contextmanager
from logging.handlers import QueueHandler
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("audit.accounts")
log.setLevel(logging.DEBUG)
log.propagate = False
log.addHandler(logging.NullHandler())


class Masking(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(self._mask(value) for value in record.args)
        return True

    @staticmethod
    def _mask(value: object) -> object:
        if isinstance(value, str) and value.startswith("AT"):
            return value[:4] + "*" * (len(value) - 8) + value[-4:]
        return value


@contextmanager
def recorded(level: int) -> Iterator[queue.SimpleQueue]:
    lines: queue.SimpleQueue = queue.SimpleQueue()
    handler = QueueHandler(lines)
    handler.setLevel(level)
    handler.addFilter(Masking())
    handler.setFormatter(logging.Formatter("{levelname:.1s} {message}", style="{"))
    log.addHandler(handler)
    try:
        yield lines
    finally:
        log.removeHandler(handler)
        handler.close()


def check(account: str, cents: int) -> bool:
    log.debug("checking %s", account)
    if cents <= 0:
        log.error("amount %d of %s is not positive", cents, account)
        return False
    if cents > 1_000_000:
        log.warning("large amount on %s", account)
    log.info("booked %d on %s", cents, account)
    return True


class AuditTrail(GraphBusNode):
    @subscribe("/Bank/Booking")
    def on_booking(self, account: str, amounts: list[int], verbose: bool) -> dict[str, object]:
        with recorded(logging.DEBUG if verbose else logging.INFO) as lines:
            booked = sum(cents for cents in amounts if check(account, cents))
        trail = []
        while not lines.empty():
            trail.append(lines.get().getMessage())
        return {"booked": booked, "trail": trail}
