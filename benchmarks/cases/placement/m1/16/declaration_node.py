import logging

from graphbus_core import GraphBusNode, subscribe

from audit import LOG
from customs_rules import duty


class DeclarationNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Customs/Declared")
    def handle(self, goods: str, value: int) -> dict[str, object]:
        answer: dict[str, object] = {"duty": duty(goods, value)}
        if LOG.isEnabledFor(logging.DEBUG):
            answer["trace"] = f"{goods}/{value}"
        return answer
