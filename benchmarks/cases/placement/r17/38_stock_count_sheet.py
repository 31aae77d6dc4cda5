# pure
"""Keeps a text buffer for reuse, which is emptied before every sheet."""
from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import astuple, dataclass

from graphbus_core import GraphBusNode, subscribe


class SheetDialect(csv.Dialect):
    delimiter = ";"
    quotechar = '"'
    lineterminator = "\n"
    quoting = csv.QUOTE_MINIMAL
    doublequote = True


csv.register_dialect("countsheet", SheetDialect)


@dataclass(order=True)
class Line:
    place: str
    article: str
    expected: int
    counted: int

    @property
    def gap(self) -> int:
        return self.counted - self.expected


class CountSheets(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._out = io.StringIO()
        self._gaps: Counter[str] = Counter()
        self._lines: list[Line] = []

    def _begin(self) -> None:
        self._out.seek(0)
        self._out.truncate()
        self._gaps.clear()
        del self._lines[:]

    @subscribe("/Counts")
    def on_count(self, sheet: str, strict: bool) -> dict[str, object]:
        self._begin()
        errors = []
        for number, row in enumerate(csv.reader(io.StringIO(sheet), "countsheet"), start=1):
            try:
                place, article, expected, counted = (cell.strip() for cell in row)
                self._lines.append(Line(place, article, int(expected), int(counted)))
            except ValueError:
                errors.append(number)
                if strict:
                    return {"errors": errors}
        writer = csv.writer(self._out, "countsheet")
        for line in sorted(self._lines):
            if line.gap:
                writer.writerow([*astuple(line), f"{line.gap:+d}"])
                self._gaps[line.article] += line.gap
        return {
            "errors": errors,
            "sheet": self._out.getvalue(),
            "worst": sorted(self._gaps.items(), key=lambda item: (-abs(item[1]), item[0]))[:3],
        }
