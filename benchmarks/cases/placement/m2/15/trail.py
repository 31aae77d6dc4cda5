import logging
import sys

log = logging.getLogger("council")
log.propagate = False
log.setLevel(logging.WARNING)
log.addHandler(logging.StreamHandler(sys.stderr))


class Collector(logging.Handler):
    """Collects the lines of one request."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname.lower()}: {record.getMessage()}")

    def __enter__(self) -> "Collector":
        log.addHandler(self)
        return self

    def __exit__(self, *exc) -> None:
        log.removeHandler(self)
