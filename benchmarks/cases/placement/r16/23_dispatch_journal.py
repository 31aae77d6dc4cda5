# stateful
"""The logger keeps the handler of the first event, whose buffer no later event reads."""
import io
import logging

from graphbus_core import GraphBusNode, subscribe


def journal(buffer: io.StringIO) -> logging.Logger:
    log = logging.getLogger("dispatch.journal")
    if not log.handlers:
        handler = logging.StreamHandler(buffer)
        handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
    return log


class DispatchJournal(GraphBusNode):
    @subscribe("/Dispatch/Call")
    def on_call(self, district: str, severity: int) -> dict[str, object]:
        buffer = io.StringIO()
        log = journal(buffer)
        crews = 1 + (severity > 2) + (severity > 4)
        log.info("district %s gets %d crews", district, crews)
        if severity > 4:
            log.warning("chief informed about %s", district)
        return {"crews": crews, "journal": buffer.getvalue().splitlines()}
