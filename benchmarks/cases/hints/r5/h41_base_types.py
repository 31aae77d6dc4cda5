from __future__ import annotations
from dataclasses import dataclass
from datetime import date as Day
from typing import TypedDict


class Code(TypedDict):
    value: str
    since: Day


@dataclass
class Stamped:
    code: Code
    on: Day
    prior: Stamped | None = None
