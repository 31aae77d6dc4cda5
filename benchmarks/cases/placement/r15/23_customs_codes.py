# pure
"""Keeps nothing: the mutable default value is only read, and the list it is copied to is the event's."""
from bisect import bisect_right
from typing import Any

from graphbus_core import GraphBusNode, subscribe

CHAPTERS = [(1, "animals"), (6, "plants"), (15, "fats"), (25, "minerals"), (50, "textiles"), (72, "metals"), (84, "machines")]
STARTS = [start for start, _ in CHAPTERS]


def classify(code: str, sections: list[tuple[int, str]] = CHAPTERS, seen: dict[str, str] = {}) -> str:
    if code in seen:
        return seen[code]
    at = bisect_right(STARTS, int(code[:2])) - 1
    return sections[at][1] if at >= 0 else "none"


def group(codes: list[str], into: dict[str, list[str]] | None = None, *, hints: dict[str, str] = {}) -> dict[str, list[str]]:
    if into is None:
        into = {}
    known = dict(hints)
    for code in codes:
        name = classify(code, seen=known)
        known.setdefault(code, name)
        into.setdefault(name, []).append(code)
    return into


def valid(code: Any) -> bool:
    return isinstance(code, str) and code.isdecimal() and code.isascii() and 4 <= len(code) <= 10


class CustomsCodes(GraphBusNode):
    @subscribe("/Customs/Declared")
    def on_declared(self, declaration: str, codes: list[str], duty: float) -> dict[str, object]:
        good = [code for code in codes if valid(code)]
        groups = group(good)
        bad = [code for code in codes if code not in good]
        group(bad and ["9999"], groups)
        due = sum(duty * len(found) * (2 if name == "machines" else 1) for name, found in groups.items())
        return {"id": declaration, "groups": groups, "bad": bad, "due": round(due, 2)}
