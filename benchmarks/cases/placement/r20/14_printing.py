# pure
"""Imposes pages on sheets for folding; a generator made for each job does the counting."""
from dataclasses import dataclass
from itertools import count
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

FORMATS = {"A5": (148, 210), "A4": (210, 297), "A3": (297, 420), "SRA3": (320, 450)}
PAPER_UM = {80: 104, 115: 95, 135: 110, 170: 140, 250: 260}


@dataclass(frozen=True)
class Sheet:
    number: int
    front: tuple[int, int]
    back: tuple[int, int]

    def show(self, last: int) -> str:
        def page(n: int) -> str:
            return str(n) if n <= last else "blank"

        sides = ["|".join(map(page, side)) for side in (self.front, self.back)]
        return f"{self.number}: {sides[0]} // {sides[1]}"


def impose(pages: int) -> Iterator[Sheet]:
    """Sheets of a saddle-stitched booklet, outside in."""
    total = -(-pages // 4) * 4
    low, high = 1, total
    for number in count(1):
        if low > high:
            return
        yield Sheet(number, (high, low), (low + 1, high - 1))
        low += 2
        high -= 2


def per_press_sheet(small: str, large: str = "SRA3") -> int:
    w, h = FORMATS[small]
    width, height = FORMATS[large]
    upright = (width // w) * (height // h)
    turned = (width // h) * (height // w)
    return max(upright, turned)


class Imposition(GraphBusNode):
    creep_limit_mm = 2.0

    @subscribe("/PrintShop/Job")
    def on_job(self, title: str, pages: int, paper: str, gsm: int, copies: int) -> dict[str, object]:
        sheets = list(impose(pages))
        thickness = PAPER_UM.get(gsm, gsm) / 1000
        creep = len(sheets) * thickness
        up = per_press_sheet(paper) if paper in FORMATS else 0
        return {
            "title": title,
            "sheets": [sheet.show(pages) for sheet in sheets],
            "press_sheets": -(-len(sheets) * copies * 2 // up) if up else None,
            "spine_mm": round(2 * creep, 2),
            "stitch": "saddle" if creep <= self.creep_limit_mm else "glue",
        }
