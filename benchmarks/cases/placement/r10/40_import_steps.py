# stateful
"""Keeps warnings in a list on the class, which every step instance appends to."""
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from graphbus_core import GraphBusNode, subscribe


class Step(ABC):
    name: ClassVar[str] = "step"
    notices: list[str] = []

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        return self.apply(dict(row))

    @abstractmethod
    def apply(self, row: dict[str, Any]) -> dict[str, Any]: ...

    def notice(self, text: str) -> None:
        self.notices.append(f"{self.name}: {text}")


class TrimNames(Step):
    name = "trim"

    def apply(self, row: dict[str, Any]) -> dict[str, Any]:
        clean = " ".join(row["name"].split())
        if clean != row["name"]:
            self.notice(f"whitespace in {clean!r}")
        row["name"] = clean
        return row


class NormalisePhone(Step):
    name = "phone"
    notices = []

    def apply(self, row: dict[str, Any]) -> dict[str, Any]:
        digits = "".join(ch for ch in row.get("phone", "") if ch.isdigit())
        if len(digits) < 6:
            self.notice("too short, dropped")
            digits = ""
        row["phone"] = digits
        return row


class CustomerImport(GraphBusNode):
    def pipeline(self) -> list[Step]:
        return [TrimNames(), NormalisePhone()]

    @subscribe("/customers/import")
    def on_row(self, row: dict[str, Any]) -> dict[str, Any]:
        steps = self.pipeline()
        for step in steps:
            row = step(row)
        notices = [text for step in steps for text in step.notices]
        return {"row": row, "status": "review" if len(notices) > 2 else "ok", "notices": len(notices)}
