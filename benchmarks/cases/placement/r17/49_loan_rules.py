# pure
"""Keeps rule objects once made: equal keys give equal rules, and no rule ever changes."""
from __future__ import annotations

import re
import weakref
from abc import ABC, abstractmethod
from datetime import date, timedelta
from typing import Any, ClassVar

from graphbus_core import GraphBusNode, subscribe


class Rule(ABC):
    """One way to lend; subclasses enter themselves when they are defined."""

    kinds: ClassVar[dict[str, type["Rule"]]] = {}
    _made: ClassVar[weakref.WeakValueDictionary[tuple[str, int], "Rule"]] = weakref.WeakValueDictionary()
    __slots__ = ("days", "__weakref__")

    def __init_subclass__(cls, kind: str, **options: Any) -> None:
        super().__init_subclass__(**options)
        Rule.kinds[kind] = cls

    def __new__(cls, days: int) -> "Rule":
        key = (cls.__name__, days)
        rule = Rule._made.get(key)
        if rule is None:
            rule = super().__new__(cls)
            rule.days = days
            Rule._made[key] = rule
        return rule

    @abstractmethod
    def due(self, lent: date, renewals: int) -> date: ...

    def fee(self, late: int) -> int:
        return min(20 * late, 1000)


class Book(Rule, kind="book"):
    __slots__ = ()

    def due(self, lent: date, renewals: int) -> date:
        return lent + timedelta(days=self.days * (1 + min(renewals, 3)))


class Film(Book, kind="film"):
    __slots__ = ()

    def fee(self, late: int) -> int:
        return 100 * late if late < 14 else 2500


class Instrument(Rule, kind="instrument"):
    __slots__ = ()

    def due(self, lent: date, renewals: int) -> date:
        end = lent + timedelta(days=self.days)
        return end - timedelta(days=end.weekday())


class LoanRules(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._pattern = re.compile(r"(?P<kind>[a-z]+)(?:/(?P<days>[1-9][0-9]?))?", re.ASCII)
        self._kept: dict[tuple[str, int], Rule] = {}

    @subscribe("/Returns")
    def on_return(self, rule: str, lent: str, returned: str, renewals: int) -> dict[str, object]:
        match = self._pattern.fullmatch(rule)
        if match is None or match["kind"] not in Rule.kinds:
            return {"error": f"no rule {rule!r}"}
        days = int(match["days"] or 28)
        made = self._kept.setdefault((match["kind"], days), Rule.kinds[match["kind"]](days))
        try:
            due = made.due(date.fromisoformat(lent), max(renewals, 0))
            late = max((date.fromisoformat(returned) - due).days, 0)
        except (ValueError, OverflowError) as problem:
            return {"error": str(problem)}
        return {"due": due.isoformat(), "late": late, "fee": f"{made.fee(late) / 100:.2f}"}
