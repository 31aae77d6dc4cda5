# stateful
"""One exception object is raised for every refusal, and add_note piles the notes of all refusals on it."""
from __future__ import annotations

import re

from graphbus_core import GraphBusNode, subscribe

HS_CODE = re.compile(r"^(\d{2})(\d{2})\.?(\d{2})?$")
DUTY = {"01": 0.0, "22": 0.18, "24": 0.57, "42": 0.05, "61": 0.12, "85": 0.02}
FORBIDDEN = {"05": "animal remains", "36": "explosives", "93": "weapons"}


class Refused(Exception):
    """The goods may not enter."""

    @property
    def reasons(self) -> list[str]:
        return list(getattr(self, "__notes__", []))


NOT_ADMITTED = Refused("not admitted")


def refuse(reason: str) -> Refused:
    NOT_ADMITTED.add_note(reason)
    return NOT_ADMITTED


def chapter_of(code: str) -> str:
    found = HS_CODE.match(code.strip())
    if not found:
        raise refuse(f"malformed code {code!r}")
    return found[1]


def assess(code: str, value: float) -> float:
    chapter = chapter_of(code)
    if chapter in FORBIDDEN:
        raise refuse(FORBIDDEN[chapter])
    if value <= 0:
        raise refuse("no value declared")
    return round(value * DUTY.get(chapter, 0.08), 2)


class CustomsDesk(GraphBusNode):
    @subscribe("/Border/Declaration")
    def on_declaration(self, code: str, value: float, origin: str) -> dict[str, object]:
        try:
            duty = assess(code, value)
        except Refused as refusal:
            return {"admitted": False, "why": "; ".join(refusal.reasons)}
        return {"admitted": True, "duty": duty, "origin": origin.upper()[:2]}
