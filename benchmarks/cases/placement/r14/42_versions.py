# pure
"""Compares values made from the event's text."""
from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import total_ordering

from graphbus_core import GraphBusNode, subscribe

_VERSION = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.]+))?")
_CLAUSE = re.compile(r"(>=|<=|>|<|==|\^)\s*(\S+)")
_COMPARE: dict[str, Callable[[Version, Version], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "^": lambda version, base: version >= base and version.numbers[0] == base.numbers[0],
}


@total_ordering
@dataclass(frozen=True)
class Version:
    numbers: tuple[int, int, int]
    pre: str = ""

    @classmethod
    def parse(cls, text: str) -> Version:
        match = _VERSION.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"not a version: {text}")
        major, minor, patch, pre = match.groups()
        return cls((int(major), int(minor), int(patch)), pre or "")

    def __lt__(self, other: Version) -> bool:
        return (self.numbers, not self.pre, self.pre) < (other.numbers, not other.pre, other.pre)


def satisfies(version: Version, constraint: str) -> bool:
    clauses = _CLAUSE.findall(constraint.replace(",", " "))
    return all(_COMPARE[sign](version, Version.parse(base)) for sign, base in clauses)


class VersionGate(GraphBusNode):
    @subscribe("/Package/Candidate")
    def on_event(self, package: str, version: str, constraint: str) -> dict[str, object]:
        try:
            return {"package": package, "accepted": satisfies(Version.parse(version), constraint)}
        except ValueError as error:
            return {"package": package, "accepted": False, "error": str(error)}
