"""Types of the device service; the names below live only in this file."""
from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import datetime as Moment
from typing import Generic, NotRequired, TypedDict, TypeVar

S = TypeVar("S")


class Link(enum.StrEnum):
    WIFI = "wifi"
    LTE = "lte"


class Status(TypedDict):
    link: Link
    seen: Moment
    errors: NotRequired[list[_Error]]


class _Error(TypedDict):
    code: int
    text: NotRequired[str]


@dataclass
class Base(Generic[S]):
    device: Ident
    state: S
    parent: Base[S] | None = None


@dataclass
class Ident:
    vendor: str
    serial: int
    tags: set[str] = field(default_factory=set)
