# pure
"""Counts steps in a closure made anew for every event; the counter is gone when the handler returns."""
import functools
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe


class BudgetExceeded(Exception):
    pass


def budget(limit: int) -> tuple[Callable[[], int], Callable[[Callable], Callable]]:
    spent = 0

    def remaining() -> int:
        return limit - spent

    def charged(function: Callable) -> Callable:
        @functools.wraps(function)
        def wrapper(*args):
            nonlocal spent
            spent += 1
            if spent > limit:
                raise BudgetExceeded(function.__name__)
            return function(*args)
        return wrapper

    return remaining, charged


def _pattern_matches(charged: Callable, pattern: str, text: str) -> bool:
    """Glob matching with * and ?, backtracking, hence the budget."""

    @charged
    def glob(p: int, t: int) -> bool:
        if p == len(pattern):
            return t == len(text)
        if pattern[p] == "*":
            return any(glob(p + 1, rest) for rest in range(t, len(text) + 1))
        return t < len(text) and pattern[p] in ("?", text[t]) and glob(p + 1, t + 1)

    return glob(0, 0)


class StepBudget(GraphBusNode):
    @subscribe("/Firewall/Match")
    def on_match(self, host: str, patterns: list[str], limit: int) -> dict:
        remaining, charged = budget(limit)
        hits: list[str] = []
        try:
            for pattern in patterns:
                if _pattern_matches(charged, pattern.lower(), host.lower()):
                    hits.append(pattern)
        except BudgetExceeded:
            return {"host": host, "hits": hits, "aborted": True}
        return {"host": host, "hits": hits, "aborted": False, "left": remaining()}
