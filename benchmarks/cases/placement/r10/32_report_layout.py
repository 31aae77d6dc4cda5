# stateful
"""Keeps the options of earlier requests, which setattr puts on the node over the class defaults."""
from typing import Any

from graphbus_core import GraphBusNode, subscribe

ALIGN = {"left": "<", "right": ">", "center": "^"}


class ReportLayout(GraphBusNode):
    width = 12
    align = "left"
    separator = " | "
    header = True

    OPTIONS = {"width": int, "align": str, "separator": str, "header": bool}

    def configure(self, options: dict[str, Any]) -> list[str]:
        unknown = []
        for name, value in options.items():
            kind = self.OPTIONS.get(name)
            if kind is None or not isinstance(value, kind):
                unknown.append(name)
                continue
            setattr(self, name, value)
        return sorted(unknown)

    def cell(self, value: Any) -> str:
        text = f"{value:.2f}" if isinstance(value, float) else str(value)
        if len(text) > self.width:
            text = text[: self.width - 1] + "~"
        return format(text, f"{ALIGN.get(self.align, '<')}{self.width}")

    def line(self, values: list[Any]) -> str:
        return self.separator.join(self.cell(value) for value in values).rstrip()

    @subscribe("/report/layout")
    def on_layout(self, columns: list[str], rows: list[list[Any]], options: dict[str, Any]) -> dict[str, Any]:
        ignored = self.configure(options)
        lines = [self.line(columns)] if self.header else []
        lines.extend(self.line(row) for row in rows)
        return {"text": "\n".join(lines), "ignored": ignored}
