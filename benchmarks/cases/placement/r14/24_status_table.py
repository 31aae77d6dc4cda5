# pure
"""The buffer is made in the function and goes away with it."""
import io
from collections.abc import Sequence

from graphbus_core import GraphBusNode, subscribe

_MARKS = {"ok": "+", "warn": "!", "down": "x"}


def write_table(out: io.TextIOBase, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(head, *rows)]

    def line(cells: Sequence[str]) -> None:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        print("|", " | ".join(padded), "|", file=out)

    line(head)
    line(["-" * width for width in widths])
    for row in rows:
        line(row)


class StatusTable(GraphBusNode):
    """Turns a status snapshot into Markdown for the chat channel."""

    @subscribe("/Status/Snapshot")
    def on_event(self, title: str, services: dict[str, str]) -> dict[str, object]:
        rows = [
            (name, _MARKS.get(state, "?"), state)
            for name, state in sorted(services.items(), key=lambda item: (item[1] == "ok", item[0]))
        ]
        with io.StringIO() as out:
            print(f"## {title}\n", file=out)
            write_table(out, ("service", " ", "state"), rows)
            text = out.getvalue()
        return {"markdown": text, "healthy": all(state == "ok" for state in services.values())}
