# pure
"""Quotes a premium through a chain of rules; the rules are closures over constants."""
from dataclasses import dataclass, replace
from decimal import Decimal, ROUND_HALF_UP
from functools import reduce
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Quote:
    premium: Decimal
    reasons: tuple[str, ...] = ()
    refused: bool = False


Rule = Callable[[Quote, dict], Quote]


def factor(name: str, times: str, when: Callable[[dict], bool]) -> Rule:
    number = Decimal(times)

    def rule(quote: Quote, risk: dict) -> Quote:
        if quote.refused or not when(risk):
            return quote
        return replace(quote, premium=quote.premium * number, reasons=quote.reasons + (f"{name} x{times}",))

    return rule


def refuse(name: str, when: Callable[[dict], bool]) -> Rule:
    def rule(quote: Quote, risk: dict) -> Quote:
        return replace(quote, refused=True, reasons=(name,)) if when(risk) else quote

    return rule


RULES: list[Rule] = [
    refuse("thatched roof near railway", lambda r: r["roof"] == "thatch" and r["railway_m"] < 100),
    factor("thatch", "2.4", lambda r: r["roof"] == "thatch"),
    factor("old wiring", "1.15", lambda r: r["built"] < 1970),
    factor("flood zone", "1.6", lambda r: r["flood_zone"] >= 3),
    factor("claims", "1.25", lambda r: len(r["claims"]) > 1),
    factor("no claims", "0.85", lambda r: not r["claims"]),
]


class HouseInsurance(GraphBusNode):
    PER_SQUARE_METRE = Decimal("2.15")

    def __init__(self) -> None:
        super().__init__()
        self._rules = tuple(RULES)

    @subscribe("/Insurance/Application")
    def on_application(
        self, square_metres: int, built: int, roof: str, flood_zone: int, railway_m: int, claims: list[int]
    ) -> dict[str, object]:
        risk = {
            "built": built, "roof": roof.lower(), "flood_zone": flood_zone, "railway_m": railway_m,
            "claims": [c for c in claims if c > 500],
        }
        start = Quote(self.PER_SQUARE_METRE * square_metres)
        quote = reduce(lambda q, rule: rule(q, risk), self._rules, start)
        if quote.refused:
            return {"offer": None, "reasons": list(quote.reasons)}
        year = quote.premium.quantize(Decimal("0.01"), ROUND_HALF_UP)
        month = (quote.premium * Decimal("1.05") / 12).quantize(Decimal("0.01"), ROUND_HALF_UP)
        return {"offer": {"year": str(year), "month": str(month)}, "reasons": list(quote.reasons)}
