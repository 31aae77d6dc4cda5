"""Types of tc_import."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Delivery(TypedDict):
    id: str
    stops: list[Stop]
    driver: NotRequired[str]


class Stop(TypedDict):
    city: str
    eta: float | None
