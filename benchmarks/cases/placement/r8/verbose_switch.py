# stateful
"""Keeps the level of a logger: one topic changes it, the other's trace depends on it."""
import io
import logging
from contextlib import contextmanager
from collections.abc import Iterator

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("planner")
log.propagate = False
log.setLevel(logging.WARNING)
LEVELS = {"quiet": logging.ERROR, "normal": logging.WARNING, "chatty": logging.DEBUG}


@contextmanager
def captured() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    log.addHandler(handler)
    try:
        yield stream
    finally:
        log.removeHandler(handler)


def plan(stock: int, demand: int) -> int:
    log.debug("stock %d, demand %d", stock, demand)
    missing = max(0, demand - stock)
    if missing > 100:
        log.warning("large order: %d", missing)
    return -(-missing // 12) * 12


class VerboseSwitch(GraphBusNode):
    @subscribe("/Planner/Mode")
    def on_mode(self, mode: str) -> dict[str, bool]:
        if mode in LEVELS:
            log.setLevel(LEVELS[mode])
        return {"known": mode in LEVELS}

    @subscribe("/Planner/Demand")
    def on_demand(self, stock: int, demand: int) -> dict[str, object]:
        with captured() as stream:
            order = plan(stock, demand)
        return {"order": order, "trace": stream.getvalue().splitlines()}
