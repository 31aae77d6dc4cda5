# pure
import logging
import statistics

from graphbus_core import GraphBusNode, subscribe

logger = logging.getLogger(__name__)


class QuakeReporter(GraphBusNode):
    @subscribe("/Quake/Measured")
    def on(self, payload):
        mean = statistics.fmean(payload["values"])
        logger.info("mean %s of %d values", mean, len(payload["values"]))
        self.publish("/Quake/Reported", {"mean": mean})
