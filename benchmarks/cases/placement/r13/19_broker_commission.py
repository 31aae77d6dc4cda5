# pure
"""Keeps nothing: a closure per rate, made once, holds constants only."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


def rate(first: float, later: float, cap: int) -> Callable[[int, int], int]:
    def commission(premium: int, year: int) -> int:
        share = first if year <= 1 else later
        return min(cap, int(premium * share))

    return commission


SCHEMES = {
    "life": rate(0.40, 0.02, 250_000),
    "motor": rate(0.10, 0.10, 40_000),
    "legal": rate(0.18, 0.12, 30_000),
}


class BrokerCommission(GraphBusNode):
    minimum = 500

    def __init__(self) -> None:
        super().__init__()
        self.schemes = SCHEMES

    @subscribe("/Broker/Settle")
    def settle(self, broker: str, contracts: list[list[object]]) -> dict[str, object]:
        total = 0
        lines = []
        for line, premium, year in contracts:
            scheme = self.schemes.get(line)
            if scheme is None:
                lines.append(f"{line}: no scheme")
                continue
            amount = scheme(premium, year)
            total += amount
            lines.append(f"{line}: {amount / 100:.2f}")
        payable = total if total >= self.minimum else 0
        return {"broker": broker, "payable": payable, "lines": lines}
