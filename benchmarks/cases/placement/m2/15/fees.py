import logging

from graphbus_core import GraphBusNode, subscribe

from trail import Collector, log

FEES = {"passport": 3750, "parking": 3070, "dog": 9000, "stall": 1500}


def reduced(cents: int, household: int, income: int) -> int:
    per_head = income // max(household, 1)
    log.info("income a head %d", per_head)
    if per_head < 90000:
        log.info("half fee")
        return cents // 2
    return cents


class FeeNotice(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Council/Fee/Asked")
    def notice(self, kind: str, household: int, income: int) -> dict[str, object]:
        with Collector() as trail:
            cents = reduced(FEES[kind], household, income)
            if log.isEnabledFor(logging.INFO):
                trail.lines.append(f"fee {kind}")
        return {"cents": cents, "explained": trail.lines}
