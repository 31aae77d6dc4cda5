# pure
"""Renders the rows of one event."""
import io

from graphbus_core import GraphBusNode, subscribe

NUMBER_SIGNS = set("0123456789.,-+% ")


def numeric(column: list[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and all(set(cell) <= NUMBER_SIGNS for cell in filled)


def padded(rows: list[list[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    return [[cell.strip() for cell in row] + [""] * (width - len(row)) for row in rows]


def render(head: list[str], rows: list[list[str]]) -> str:
    table = padded([head, *rows])
    columns = list(zip(*table))
    widths = [max(map(len, column)) for column in columns]
    right = [numeric(list(column[1:])) for column in columns]
    out = io.StringIO()

    def line(cells: list[str]) -> None:
        parts = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(cells, widths, right)
        ]
        print("|", " | ".join(parts), "|", file=out)

    line(table[0])
    print("|" + "|".join("-" * (width + 1) + (":" if to_right else "-") for width, to_right in zip(widths, right)) + "|", file=out)
    for row in table[1:]:
        line(row)
    return out.getvalue()


class TextTable(GraphBusNode):
    @subscribe("/Table/Render")
    def on_render(self, head: list[str], rows: list[list[str]]) -> dict[str, object]:
        if not head:
            return {"error": "no columns"}
        text = render(head, rows)
        return {"text": text, "lines": text.count("\n")}
