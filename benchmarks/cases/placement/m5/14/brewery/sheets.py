from __future__ import annotations

from dataclasses import asdict, dataclass

from graphbus_core import subscribe

from .base import BrewNode, QuietNode


@dataclass
class Sheet:
    batch: str
    style: str
    lines: int = 0


class BatchSheet(BrewNode):
    @subscribe("/Sheet/Print")
    def on_print(self, batch: str, style: str) -> str:
        sheet = Sheet(batch, style, len(self.notes))
        return self.reply(**asdict(sheet))


class BitternessCard(QuietNode):
    """Tinseth's formula."""

    @subscribe("/Sheet/Ibu")
    def on_hops(self, grams: float, alpha: float, minutes: int, litres: float, gravity: float) -> str:
        bigness = 1.65 * 0.000125 ** (gravity - 1)
        time = (1 - 2.718281828 ** (-0.04 * minutes)) / 4.15
        ibu = bigness * time * grams * alpha * 10 / litres
        if ibu > 80:
            self.remark("very bitter")
        return self.reply(ibu=round(ibu, 1))
