# stateful
"""Keeps log handlers: each import adds another one to the same named logger, so lines come out again and again."""
import logging

from graphbus_core import GraphBusNode, subscribe


class ToList(logging.Handler):
    def __init__(self, lines: list[str], level: int) -> None:
        super().__init__(level)
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def get_logger(source: str, lines: list[str], verbose: bool) -> logging.Logger:
    logger = logging.getLogger(f"import.{source}")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    handler = ToList(lines, logging.DEBUG if verbose else logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    logger.addHandler(handler)
    return logger


class ImportLog(GraphBusNode):
    """Checks the rows of an import and answers with the log for the person who sent them."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []

    @subscribe("/Import/Rows")
    def on_rows(self, source: str, rows: list[dict[str, str]], verbose: bool) -> list[str]:
        self._lines.clear()
        log = get_logger(source, self._lines, verbose)
        for number, row in enumerate(rows, 1):
            if not row.get("id", "").isdigit():
                log.warning("row %d has no id", number)
            elif not row.get("name"):
                log.error("row %d (%s) has no name", number, row["id"])
            else:
                log.debug("row %d is good", number)
        return list(self._lines)
