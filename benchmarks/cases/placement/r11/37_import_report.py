# stateful
"""Adds a handler to the same named logger for every event and never removes it, so later events' lines come out repeatedly."""
import io
import logging

from graphbus_core import GraphBusNode, subscribe

_FORMAT = logging.Formatter("%(levelname)-7s %(message)s")


def _logger(supplier: str, stream: io.StringIO) -> logging.Logger:
    logger = logging.getLogger(f"import.{supplier or 'unknown'}")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_FORMAT)
    logger.addHandler(handler)
    return logger


def _import(rows: list[str], log: logging.Logger) -> int:
    taken = 0
    for number, row in enumerate(rows, start=1):
        sku, _, price = row.partition(";")
        if not price.strip().isdigit():
            log.warning("row %d: no price for %s", number, sku)
            continue
        taken += 1
    log.info("%d of %d rows", taken, len(rows))
    return taken


class ImportReport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._report = io.StringIO()

    @subscribe("/Import/File")
    def on_file(self, supplier: str, rows: list[str]) -> dict:
        self._report.seek(0)
        self._report.truncate(0)
        taken = _import(rows, _logger(supplier, self._report))
        lines = self._report.getvalue().splitlines()
        return {"supplier": supplier, "taken": taken, "lines": len(lines), "last": lines[-1]}
