# stateful
"""log_filter"""
from graphbus_core import GraphBusNode, subscribe


import logging
LOG = logging.getLogger("a.b")
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        said = LOG.isEnabledFor(logging.DEBUG)
        LOG.level = amount * 5
        LOG.setLevel(10)
        return said
