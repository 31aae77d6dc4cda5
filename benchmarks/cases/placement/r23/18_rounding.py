# stateful
"""The Inexact flag of the decimal context is read but never cleared, so it stays up after the first rounding."""
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact, ROUND_HALF_EVEN
from typing import Protocol


from graphbus_core import GraphBusNode, subscribe


class Unit(Protocol):
    symbol: str

    def convert(self, value: Decimal, ctx: Context) -> Decimal: ...


@dataclass(frozen=True)
class Linear:
    symbol: str
    factor: Decimal
    offset: Decimal = Decimal(0)

    def convert(self, value: Decimal, ctx: Context) -> Decimal:
        return ctx.add(ctx.multiply(value, self.factor), self.offset)


UNITS: dict[str, Unit] = {
    "F": Linear("°F", Decimal("1.8"), Decimal(32)),
    "kt": Linear("kt", Decimal("1.943844")),
    "inHg": Linear("inHg", Decimal("0.0295299830714")),
}


@dataclass
class Converter:
    ctx: Context

    def run(self, text: str, unit: Unit) -> tuple[str, bool]:
        value = unit.convert(Decimal(text), self.ctx)
        return f"{value} {unit.symbol}", bool(self.ctx.flags[Inexact])


class UnitDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.converter = Converter(Context(prec=5, rounding=ROUND_HALF_EVEN))

    @subscribe("/Obs/Convert")
    def on_convert(self, value: str, unit: str) -> dict:
        text, rounded = self.converter.run(value, UNITS[unit])
        return {"text": text, "approx": rounded}
