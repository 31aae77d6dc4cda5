# pure
"""Parsers are chosen by a table on the class and keep nothing."""
import re
from abc import ABC, abstractmethod
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe

TITLES = re.compile(r"^(dr|mr|mrs|ms)\.?\s+", re.I)


class Layout(ABC):
    separator: ClassVar[str] = ","

    def lines(self, raw: str) -> list[str]:
        parts = [re.sub(r"\s+", " ", part).strip() for part in raw.split(self.separator)]
        parts[0] = TITLES.sub("", parts[0]).title()
        return [*parts[:-1], self.town(parts[-1])] if len(parts) > 1 else parts

    @abstractmethod
    def town(self, text: str) -> str: ...


class British(Layout):
    def town(self, text: str) -> str:
        match = re.search(r"\b[A-Z]{1,2}\d\w? \d[A-Z]{2}$", text)
        if not match:
            return text.upper()
        return f"{text[:match.start()].strip().upper()}  {match[0]}"


class Danish(Layout):
    separator = ";"

    def town(self, text: str) -> str:
        return "DK-" + text if text[:4].isdigit() else text


class Labels(GraphBusNode):
    layouts: ClassVar[dict[str, Layout]] = {"GB": British(), "DK": Danish()}

    @subscribe("/Label")
    def on_label(self, raw: str, country: str) -> dict[str, object]:
        lines = self.layouts[country].lines(raw)
        width = max(map(len, lines))
        return {"lines": [line.ljust(width) for line in lines], "complete": len(lines) >= 3}
