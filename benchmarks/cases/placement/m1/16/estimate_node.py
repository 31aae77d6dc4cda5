from graphbus_core import GraphBusNode, subscribe

from audit import LOG
from customs_rules import DUTY, duty


class EstimateNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Customs/EstimateRequested")
    def handle(self, value: int) -> dict[str, int]:
        LOG.debug("estimate for %d", value)
        return {goods: duty(goods, value) for goods in DUTY}
