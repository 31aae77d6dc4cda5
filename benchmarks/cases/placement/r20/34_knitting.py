# pure
"""Expands knitting rows and counts the stitches; every pattern is walked by its own iterator object."""
import re
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

TOKENS = re.compile(r"\*|\(|\)|;|rep|x\d+|[a-z]+\d*|\d+")
# stitch -> (needed on the left needle, made on the right needle)
STITCHES = {"k": (1, 1), "p": (1, 1), "yo": (0, 1), "ktog": (2, 1), "ssk": (2, 1), "m": (0, 1), "sl": (1, 1), "kfb": (1, 2)}


class Pattern:
    """Iterates over single stitches of a row such as 'k2 (yo ktog)x3 p1'."""

    def __init__(self, row: str) -> None:
        self.tokens = TOKENS.findall(row.lower())
        self.position = 0

    def __iter__(self) -> Iterator[str]:
        self.position = 0
        yield from self._group()

    def _next(self) -> str | None:
        if self.position >= len(self.tokens):
            return None
        self.position += 1
        return self.tokens[self.position - 1]

    def _group(self) -> list[str]:
        made: list[str] = []
        while (token := self._next()) is not None and token != ")":
            if token == "(":
                inner = self._group()
                times = self._next() or "x1"
                made += inner * int(times[1:])
            else:
                match = re.fullmatch(r"([a-z]+)(\d*)", token)
                if match and match[1] in STITCHES:
                    made += [match[1]] * int(match[2] or 1)
        return made


def count(stitches: list[str]) -> tuple[int, int]:
    pairs = [STITCHES[s] for s in stitches]
    return sum(a for a, _ in pairs), sum(b for _, b in pairs)


class Knitting(GraphBusNode):
    @subscribe("/Knitting/Chart")
    def on_chart(self, cast_on: int, rows: list[str]) -> dict[str, object]:
        on_needle = cast_on
        notes: list[str] = []
        chart: list[str] = []
        for number, row in enumerate(rows, 1):
            stitches = list(Pattern(row))
            needs, makes = count(stitches)
            if needs > on_needle:
                notes.append(f"row {number}: {needs - on_needle} stitches too few")
                break
            chart.append("".join({"yo": "o", "ktog": "/", "ssk": "\\"}.get(s, s[0]) for s in stitches))
            on_needle += makes - needs
        return {"stitches": on_needle, "chart": chart, "notes": notes}
