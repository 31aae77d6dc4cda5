# stateful
"""Keeps a logger's level: one large claim turns on the detailed trail, and nothing turns it off."""
import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("insurance.claims")
log.propagate = False
log.setLevel(logging.INFO)
LIMITS = {"car": 12_000, "home": 40_000, "travel": 2_500}


@contextmanager
def trail() -> Iterator[io.StringIO]:
    sink = io.StringIO()
    handler = logging.StreamHandler(sink)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    log.addHandler(handler)
    try:
        yield sink
    finally:
        log.removeHandler(handler)
        handler.close()


def settle(kind: str, amount: int, excess: int) -> int:
    limit = LIMITS.get(kind, 1_000)
    log.debug("limit for %s is %d", kind, limit)
    if amount > limit:
        log.warning("claim of %d is above the limit", amount)
    paid = max(0, min(amount, limit) - excess)
    log.debug("excess %d taken off", excess)
    log.info("paid %d", paid)
    return paid


class ClaimTrail(GraphBusNode):
    @subscribe("/Claims/Filed")
    def on_claim(self, kind: str, amount: int, excess: int) -> dict[str, object]:
        with trail() as sink:
            if amount >= 10_000:
                log.setLevel(logging.DEBUG)
            paid = settle(kind, amount, excess)
        return {"paid": paid, "trail": sink.getvalue().splitlines()}
