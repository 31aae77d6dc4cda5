import logging

from graphbus_core import GraphBusNode, subscribe

from customs_rules import POLICY, amend


class SupportNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Ops/VerbositySet")
    def handle(self, level: str) -> str:
        log = logging.getLogger("freight.audit")
        previous = logging.getLevelName(log.level)
        log.setLevel(level)
        return previous

    @subscribe("/Ops/LimitSet")
    def handle_limit(self, limit: int) -> dict[str, int]:
        return amend(POLICY, free_below=limit)
