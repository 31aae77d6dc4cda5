from __future__ import annotations

import re
from typing import Any, Callable

GROUPS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], dict[str, Any]]]] = []


def group(pattern: str):
    def register(func):
        GROUPS.append((re.compile(pattern), func))
        return func
    return register


@group(r"(\d{3}|VRB)(\d{2,3})(?:G(\d{2,3}))?KT")
def _wind(m):
    return {"wind": m[1], "knots": int(m[2]), "gust": int(m[3] or m[2])}


@group(r"(M?)(\d{2})/(M?)(\d{2})")
def _temp(m):
    return {"temp": int(m[2]) * (-1 if m[1] else 1), "dew": int(m[4]) * (-1 if m[3] else 1)}


@group(r"Q(\d{4})")
def _qnh(m):
    return {"qnh": int(m[1])}


@group(r"(FEW|SCT|BKN|OVC)(\d{3})")
def _cloud(m):
    return {"ceiling": int(m[2]) * 100} if m[1] in ("BKN", "OVC") else {}


def decode(report: str) -> dict[str, Any]:
    result: dict[str, Any] = {"unknown": 0}
    for word in report.split():
        for pattern, func in GROUPS:
            if m := pattern.fullmatch(word):
                result |= func(m)
                break
        else:
            result["unknown"] += 1
    return result
