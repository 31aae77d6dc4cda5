# pure
"""Versions and constraints are parsed from the event each time; the total order has no memory."""
import re
from functools import total_ordering
from typing import Any

from graphbus_core import GraphBusNode, subscribe

VERSION = re.compile(r"^v?(\d+)\.(\d+)(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?$")
CLAUSE = re.compile(r"(\^|~|>=|<=|>|<|=)?\s*(v?\d[^\s,]*)")


@total_ordering
class Version:
    __slots__ = ("numbers", "pre")

    def __init__(self, text: str) -> None:
        match = VERSION.match(text)
        if match is None:
            raise ValueError(f"bad version {text!r}")
        major, minor, patch, pre = match.groups()
        self.numbers = (int(major), int(minor), int(patch or 0))
        self.pre = tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in pre.split(".")) if pre else ()

    def _key(self) -> tuple[Any, ...]:
        return (*self.numbers, not self.pre, self.pre)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key() == other._key()

    def __lt__(self, other: "Version") -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def satisfies(version: Version, sign: str, bound: Version) -> bool:
    match sign:
        case "^":
            return version >= bound and version.numbers[0] == bound.numbers[0]
        case "~":
            return version >= bound and version.numbers[:2] == bound.numbers[:2]
        case ">=":
            return version >= bound
        case "<=":
            return version <= bound
        case ">":
            return version > bound
        case "<":
            return version < bound
    return version == bound


class Resolver(GraphBusNode):
    @subscribe("/packages/resolve")
    def on_resolve(self, package: str, available: list[str], constraint: str) -> dict[str, object]:
        try:
            clauses = [(sign, Version(text)) for sign, text in CLAUSE.findall(constraint)]
            fitting = [t for t in available if all(satisfies(Version(t), s, b) for s, b in clauses)]
        except ValueError as problem:
            return {"package": package, "error": str(problem)}
        return {"package": package, "chosen": max(fitting, key=Version, default=None), "fitting": len(fitting)}
