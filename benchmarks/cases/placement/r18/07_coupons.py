# stateful
"""The valid codes are a generator, which a membership test uses up as far as it searches."""
from __future__ import annotations

from collections.abc import Iterator

from graphbus_core import GraphBusNode, subscribe

SERIES = {"SPRING": (3, 15), "LOYAL": (4, 10), "STAFF": (2, 40)}
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def check_letter(stem: str) -> str:
    return ALPHABET[sum(i * ord(ch) for i, ch in enumerate(stem, start=1)) % len(ALPHABET)]


def issued(series: str, how_many: int) -> Iterator[str]:
    for number in range(1, how_many + 1):
        stem = f"{series}{number:02d}"
        yield stem + check_letter(stem)


def tidy(code: str) -> str:
    return "".join(ch for ch in code.upper() if ch.isalnum())


def receipt(cents: int, percent: int) -> list[str]:
    rebate = cents * percent // 100
    lines = [("goods", cents), (f"rebate {percent} %", -rebate), ("to pay", cents - rebate)]
    return [f"{label:<14}{amount / 100:>9.2f}" for label, amount in lines if amount or label == "to pay"]


class CouponBook:
    def __init__(self, series: dict[str, tuple[int, int]]) -> None:
        self.codes = {name: issued(name, count) for name, (count, _) in series.items()}
        self.percent = {name: percent for name, (_, percent) in series.items()}

    def rebate(self, code: str) -> int:
        for series, codes in self.codes.items():
            if code.startswith(series):
                return self.percent[series] if code in codes else 0
        return 0


class Till(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.book = CouponBook(SERIES)

    @subscribe("/Shop/Coupon")
    def on_coupon(self, code: str, cents: int) -> dict[str, object]:
        percent = self.book.rebate(tidy(code))
        return {"accepted": percent > 0, "receipt": receipt(cents, percent)}
