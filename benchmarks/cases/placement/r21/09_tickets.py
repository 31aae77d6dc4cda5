# stateful
"""Keeps the next waiting number in an itertools.count, bound as a default of a helper."""
from itertools import chain, count, repeat
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

DESKS = {"passport": "P", "residence": "R", "marriage": "M"}
MINUTES = {"passport": 12, "residence": 8, "marriage": 45}


def letters(concern: str) -> Iterator[str]:
    yield DESKS.get(concern, "X")


def number(concern: str, numbers: Iterator[int] = count(101)) -> str:
    return "".join(chain(letters(concern), str(next(numbers))))


def papers(concern: str, children: int) -> Iterator[str]:
    yield "identity card"
    match concern:
        case "passport":
            yield "photo"
            yield from repeat("photo of child", children)
        case "marriage":
            yield from ("birth certificate", "proof of residence")


class Tickets(GraphBusNode):
    @subscribe("/Hall/TicketDrawn")
    def on_drawn(self, concern: str, children: int) -> dict[str, object]:
        concern = concern.strip().lower()
        return {
            "ticket": number(concern),
            "bring": list(papers(concern, children)),
            "minutes": MINUTES.get(concern, 10) + 3 * children,
        }
