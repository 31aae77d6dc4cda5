# stateful
"""Bills a job; traced jobs cost one unit more per row."""
from graphbus_core import GraphBusNode, subscribe
import logging


class VerboseNode(GraphBusNode):
    @subscribe("/In")
    def on_job(self, event):
        log = logging.getLogger("billing.job")
        if event["trace"]:
            log.setLevel(logging.DEBUG)
        unit = 2 if log.isEnabledFor(logging.DEBUG) else 1
        return {"total": event["rows"] * unit}
