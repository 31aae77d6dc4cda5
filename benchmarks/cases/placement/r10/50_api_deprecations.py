# stateful
"""Keeps which warnings were shown in the module's warning registry, so each comes out only once."""
import logging
import warnings
from typing import Any

from graphbus_core import GraphBusNode, subscribe

RENAMED = {"custNo": "customer_number", "qty": "quantity", "addr": "address"}
REMOVED = {"fax", "pager"}


class Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage().split("Warning: ", 1)[-1].splitlines()[0])


warnings.simplefilter("default", DeprecationWarning)
logging.captureWarnings(True)


def upgrade(body: dict[str, Any]) -> dict[str, Any]:
    result = {}
    for name, value in body.items():
        if name in REMOVED:
            warnings.warn(f"{name} is gone", DeprecationWarning)
            continue
        if name in RENAMED:
            warnings.warn(f"{name} is now {RENAMED[name]}", DeprecationWarning)
            name = RENAMED[name]
        result[name] = value
    return result


class ApiUpgrade(GraphBusNode):
    @subscribe("/api/v1/order")
    def on_order(self, body: dict[str, Any]) -> dict[str, Any]:
        collector = Collector()
        logger = logging.getLogger("py.warnings")
        logger.addHandler(collector)
        logger.propagate = False
        try:
            upgraded = upgrade(body)
        finally:
            logger.removeHandler(collector)
        return {"body": upgraded, "warnings": collector.lines}
