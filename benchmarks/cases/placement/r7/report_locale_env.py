# stateful
"""A wish of one request goes into the environment of the process by setdefault, where later requests find it."""
import os

from graphbus_core import GraphBusNode, subscribe

SEPARATORS = {"de": (".", ","), "en": (",", "."), "fr": (" ", ","), "ch": ("'", ".")}
VARIABLE = "REPORT_NUMBER_STYLE"


def style(wish: str) -> tuple[str, str]:
    wanted = wish.lower()[:2]
    if wanted in SEPARATORS:
        os.environ.setdefault(VARIABLE, wanted)
    return SEPARATORS[os.environ.get(VARIABLE, "en")]


def grouped(number: float, thousands: str, point: str) -> str:
    text = f"{number:,.2f}"
    return text.translate(str.maketrans({",": thousands, ".": point}))


class Reports(GraphBusNode):
    """Formats the totals of a report."""

    @subscribe("/reports/total")
    def on_total(self, title: str, amounts: list[float], language: str) -> dict[str, str]:
        thousands, point = style(language)
        total = sum(amounts)
        return {
            "title": title.strip().capitalize(),
            "total": grouped(total, thousands, point),
            "mean": grouped(total / len(amounts), thousands, point) if amounts else "-",
        }
