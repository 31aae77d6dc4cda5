from __future__ import annotations

from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

from .model import Household, Period, Policy


class ClaimDesk(GraphBusNode):
    @subscribe("/Claim/Assess")
    def on_assess(self, code: str, insured: int, loss: int) -> dict[str, int]:
        policy = Policy.kinds[code](insured)
        return {"loss": loss, "payout": policy.payout(loss)}


class CoverCheck(GraphBusNode):
    @subscribe("/Claim/Covered")
    def on_check(self, period: str, day: str, grace: int) -> dict[str, object]:
        p = Period.parse(period)
        wide = Period(p.start, p.end + timedelta(days=grace))
        d = date.fromisoformat(day)
        return {"covered": d in p, "grace": d in wide and d not in p}


class GrossEstimate(GraphBusNode):
    """Loss before deductibles, for the reserve."""

    RESERVE = ((10_000, 3), (1_000, 2), (0, 1))

    @subscribe("/Claim/Reserve")
    def on_reserve(self, code: str, loss: int) -> int:
        kind = Policy.kinds.get(code, Household)
        gross = kind(insured=10 ** 9).cover(loss)
        return gross + next(f for floor, f in self.RESERVE if gross >= floor) * 100
