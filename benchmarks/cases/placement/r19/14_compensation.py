# pure
"""The scale is closed over when the module is loaded and nobody changes it."""
from bisect import bisect_right
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe


def scale(steps: dict[int, int]) -> Callable[[int], int]:
    limits = sorted(steps)
    shares = [0] + [steps[limit] for limit in limits]

    def share(minutes: int) -> int:
        return shares[bisect_right(limits, minutes)]

    return share


def capped(share: Callable[[int], int], exempt: frozenset[str]) -> Callable[[int, str], int]:
    calls = {"exempt": 0, "paid": 0}

    def decide(minutes: int, cause: str) -> int:
        if cause in exempt:
            calls["exempt"] += 1
            return 0
        calls["paid"] += 1
        return share(minutes)

    return decide


regional = capped(scale({60: 25, 120: 50}), frozenset({"storm", "strike", "police"}))
express = capped(scale({30: 10, 60: 25, 120: 50, 240: 100}), frozenset({"storm"}))


class Compensation(GraphBusNode):
    minimum = 400

    @subscribe("/Rail/Claims")
    def on_claim(self, train: str, minutes: int, cause: str, price: int) -> dict[str, object]:
        decide = express if train.startswith(("IC", "EC")) else regional
        percent = decide(minutes, cause)
        cents = price * percent // 100
        if cents < self.minimum:
            return {"train": train, "paid": 0, "letter": "no claim" if not percent else "below the minimum"}
        return {"train": train, "paid": cents, "letter": f"{percent} % of the fare"}
