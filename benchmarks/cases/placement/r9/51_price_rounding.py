# pure
"""Sets a context variable and the decimal context only for the length of one event and takes both back."""
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

MODES = {"customer": ROUND_FLOOR, "house": ROUND_CEILING, "bank": ROUND_HALF_EVEN}
steps: ContextVar[Decimal] = ContextVar("steps", default=Decimal("0.01"))


@contextmanager
def market(step: str, mode: str):
    token = steps.set(Decimal(step))
    try:
        with localcontext() as context:
            context.rounding = MODES[mode]
            context.prec = 18
            yield context
    finally:
        steps.reset(token)


def to_step(value: Decimal) -> Decimal:
    step = steps.get()
    return (value / step).to_integral_value() * step


def ladder(price: Decimal, percents: tuple[int, ...] = (100, 95, 90, 80)) -> list[str]:
    return [str(to_step(price * percent / 100)) for percent in percents]


class PriceRounding(GraphBusNode):
    @subscribe("/Price/Ladder")
    def on_ladder(self, article: str, price: str, step: str, mode: str) -> dict[str, object]:
        try:
            with market(step, mode):
                return {"article": article, "ladder": ladder(Decimal(price))}
        except KeyError:
            return {"article": article, "error": "unknown mode"}

    @subscribe("/Price/Plain")
    def on_plain(self, article: str, price: str) -> dict[str, str]:
        return {"article": article, "price": str(to_step(Decimal(price)))}
