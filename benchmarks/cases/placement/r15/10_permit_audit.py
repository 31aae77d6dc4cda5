# pure
"""Keeps nothing: the logger's handler, filter and level are put on for one event and taken off again."""
import io
import logging
from contextlib import ExitStack

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("town.permits")
log.propagate = False
log.setLevel(logging.WARNING)


class Numbering(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def filter(self, record: logging.LogRecord) -> bool:
        self.count += 1
        record.number = self.count
        return True


def check(kind: str, metres: float, papers: list[str]) -> bool:
    log.debug("checking %s of %.1f m", kind, metres)
    missing = {"plan", "neighbours"} - set(papers)
    for paper in sorted(missing):
        log.warning("paper missing: %s", paper)
    if metres > 12:
        log.error("%s is too high by %.1f m", kind, metres - 12)
        return False
    log.info("height is fine")
    return not missing


class PermitAudit(GraphBusNode):
    @subscribe("/Town/PermitAsked")
    def on_permit(self, kind: str, metres: float, papers: list[str], verbose: bool) -> dict[str, object]:
        out = io.StringIO()
        handler = logging.StreamHandler(out)
        handler.setFormatter(logging.Formatter("{number:02d} {levelname:.1} {message}", style="{"))
        numbering = Numbering()
        with ExitStack() as undo:
            undo.callback(log.setLevel, log.level)
            if verbose:
                log.setLevel(logging.DEBUG)
            handler.addFilter(numbering)
            log.addHandler(handler)
            undo.callback(handler.close)
            undo.callback(log.removeHandler, handler)
            granted = check(kind, metres, papers)
        return {"granted": granted, "lines": out.getvalue().splitlines(), "count": numbering.count}
