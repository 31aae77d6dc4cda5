from __future__ import annotations

from dataclasses import dataclass, field

from formatters import show


@dataclass
class Column:
    key: str
    kind: str = "text"
    head: str = ""

    @classmethod
    def parse(cls, spec: str) -> Column:
        key, _, kind = spec.partition(":")
        return cls(key, kind or "text", key.replace("_", " ").title())


@dataclass
class Grid:
    columns: list[Column]
    cells: list[list[str]] = field(default_factory=list)

    def add(self, row: dict) -> None:
        self.cells.append([show(c.kind, row.get(c.key)) for c in self.columns])

    def render(self) -> str:
        widths = [len(c.head) for c in self.columns]
        for row in self.cells:
            widths = [max(w, len(cell)) for w, cell in zip(widths, row)]
        head = " | ".join(c.head.ljust(w) for c, w in zip(self.columns, widths))
        body = [" | ".join(cell.rjust(w) for cell, w in zip(row, widths)) for row in self.cells]
        return "\n".join([head, "-+-".join("-" * w for w in widths), *body])


def page_number(title: str) -> str:
    page_number.count = getattr(page_number, "count", 0) + 1
    return f"{title} - {page_number.count}"


def banner(title: str, width: int = 30) -> str:
    return title.upper().center(width, "=")
