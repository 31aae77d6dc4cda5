# stateful
"""Joins the sections with in-place addition starting from the shared heading, which grows with each letter."""
import operator
from functools import reduce

from graphbus_core import GraphBusNode, subscribe

Lines = list[str]

HEADING: Lines = ["Gymnasium am Park", "Letter to the parents", ""]


def section(title: str, *body: str) -> Lines:
    return [title.upper(), *(f"  {line}" for line in body if line), ""]


def dates(items: list[str]) -> Lines:
    return section("Dates", *sorted(items)) if items else []


def menu(vegetarian: bool) -> Lines:
    return section("Canteen", "lentil soup" if vegetarian else "goulash", "apple")


def signature(teacher: str) -> Lines:
    return ["", f"Yours, {teacher.title()}"]


def compose(*parts: Lines) -> Lines:
    """Puts the parts one below the other (sum(parts, []) was slow with many of them)."""
    return reduce(operator.iadd, parts, HEADING)


class ParentLetters(GraphBusNode):
    WIDTH = 60

    @subscribe("/School/Letter")
    def on_letter(self, grade: str, teacher: str, events: list[str], vegetarian: bool) -> dict[str, object]:
        lines = compose(dates(events), menu(vegetarian), signature(teacher))
        text = "\n".join(line[: self.WIDTH].rstrip() for line in lines)
        return {"grade": grade, "lines": len(lines), "text": text}
