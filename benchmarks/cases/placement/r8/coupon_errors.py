# stateful
"""Keeps the notes of earlier failures: one exception object is raised each time and notes are added to it."""
import re
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

CODE = re.compile(r"^(?P<kind>[PF])(?P<value>\d{1,3})-(?P<check>\d)$")


class CouponError(Exception):
    pass


INVALID = CouponError("coupon not valid")


@dataclass(frozen=True)
class Coupon:
    kind: str
    value: int

    def apply(self, cents: int) -> int:
        if self.kind == "P":
            return cents * (100 - self.value) // 100
        return max(0, cents - self.value * 100)


def parse(code: str) -> Coupon:
    match = CODE.match(code)
    if match is None:
        raise INVALID
    value = int(match["value"])
    if sum(map(int, match["value"])) % 10 != int(match["check"]):
        raise INVALID
    return Coupon(match["kind"], value)


def explain(exc: CouponError) -> str:
    return "; ".join([str(exc), *getattr(exc, "__notes__", [])])


class CouponErrors(GraphBusNode):
    @subscribe("/Shop/Coupon")
    def on_coupon(self, basket: int, code: str) -> dict[str, object]:
        try:
            coupon = parse(code)
        except CouponError as exc:
            exc.add_note(f"code was {code}")
            return {"cents": basket, "message": explain(exc)}
        return {"cents": coupon.apply(basket), "message": "applied"}
