"""What each rule of the grammar means, as plain data: a statement of what is out, or a condition, with their parts.

It knows no table: which issue a number is about, and which packages that leaves, finds `reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Meaning = tuple[Any, ...]
WEEKEND = frozenset({5, 6})


def _exclude(*parts: Meaning) -> Meaning:
    return _state("out", parts)


def _require(*parts: Meaning) -> Meaning:
    return _state("keep", parts)


def _state(kind: str, parts: Sequence[Meaning]) -> Meaning:
    named = [p[1] for p in parts if p[0] == "name"]
    (condition,) = (p for p in parts if p[0] != "name")
    return (kind, condition, *named[:1])


def _limit(how: str) -> Callable[..., Meaning]:
    return lambda *numbers: ("sum", how, *numbers)


def _date(how: str) -> Callable[..., Meaning]:
    return lambda *periods: ("date", how, *periods)


def _compare(how: str) -> Callable[..., Meaning]:
    return lambda first, second: ("compare", how, first[1], second[1])


ACTIONS: Mapping[str, Callable[..., Meaning | None]] = {
    "same": lambda *parts: parts[-1],
    "both": lambda first, second: ("all", first, second),
    "unless": lambda statement, condition: ("unless", statement, condition),
    "unless_first": lambda condition, statement: ("unless", statement, condition),
    "when": lambda statement, condition: ("when", statement, condition),
    "when_first": lambda condition, statement: ("when", statement, condition),
    "only_if": lambda condition, needed: ("unless", ("out", condition), needed),
    "only_if_i": lambda condition, needed: ("unless", ("out", condition), needed),
    "exclude": _exclude,
    "exclude_of": _exclude,
    "require": _require,
    "need": lambda *parts: ("need", *_require(*parts)[1:]),
    "require_of": _require,
    "require_of_last": _require,
    "require_skip": lambda *parts: ("keep", parts[-1]) if len(parts) == 1 or parts[0][0] == "name" else None,
    "exclude_skip": lambda *parts: ("out", parts[-1]),
    "require_for": lambda option, limit: ("when", ("keep", limit), option),
    "only_if_first": lambda needed, condition: ("unless", ("out", condition), needed),
    "fine_bound": lambda condition: ("fine", condition),
    "fine_but": lambda first, second: ("fine_but", first, second),
    "but_not": lambda first, second: ("at_once", first, ("not", second)),
    "not_till": lambda period: ("date", "since", period),
    "or_else": lambda first, second: ("or_else", first, second),
    "neither_name": lambda first, second, condition: (
        "out",
        ("any", ("of", first[1], condition), ("of", second[1], condition)),
    ),
    "require_either": lambda first, second: ("or_else", ("keep", first), ("keep", second)),
    "neither": lambda first, second: ("out", ("any", first, second)),
    "at_once": lambda first, second: ("at_once", first, second),
    "exclude_both": lambda first, second: ("when", ("out", first), second),
    "no_unless": lambda condition, needed: ("unless", ("out", condition), needed),
    "keep_at_most": lambda number: ("keep", ("sum", "<=", number)),
    "keep_at_least": lambda number: ("keep", ("sum", ">=", number)),
    "too_much": lambda number: ("out", ("sum", ">=", number)),
    "too_little": lambda number: ("out", ("sum", "<=", number)),
    "not_above_name": _compare(">"),
    "not_below_name": _compare("<"),
    "above_name": _compare("<="),
    "below_name": _compare(">="),
    "wish": lambda *parts: ("wish",),
    # `180 is alright` may be a limit: said of a number, it is asked about.
    "allow": lambda condition: ("fine", condition) if condition[0] == "sum" else ("wish",),
    "either": lambda first, second: ("any", first, second),
    "together": lambda first, second: ("both", first, second),
    "not_either": lambda first, second: ("not", ("any", first, second)),
    "option": lambda option: option,
    "option_of": lambda option, name: ("of", name[1], option),
    "option_last": lambda name, option: ("of", name[1], option),
    "of_name": lambda name, inner: ("of", name[1], inner),
    "of_name_last": lambda inner, name: ("of", name[1], inner),
    "not_of_name": lambda name, inner: ("not", ("of", name[1], inner)),
    "not": lambda inner: ("not", inner),
    "weekday": lambda day: ("days", frozenset({day[1]})),
    "weekend": lambda *parts: ("days", WEEKEND),
    "workday": lambda *parts: ("days", frozenset(range(5))),
    "within": _date("in"),
    "exactly": _limit("="),
    "above": _limit(">"),
    "below": _limit("<"),
    "at_most": _limit("<="),
    "at_least": _limit(">="),
    "between": _limit("between"),
    "before": _date("before"),
    "after": _date("after"),
    "by": _date("by"),
    "since": _date("since"),
    "date_between": _date("in"),
}
