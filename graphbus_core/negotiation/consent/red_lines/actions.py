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


def _confirm(*signs: str) -> Callable[..., Meaning | None]:
    """`After March, not earlier`: the bound itself, where what is said behind it says the same."""
    return lambda bound: bound if (bound[2] if bound[0] == "of" else bound)[1] in signs else None


def _about(how: str, kind: str) -> Callable[..., Meaning]:
    return lambda name, number: (kind, ("of", name[1], ("sum", how, number)))


ACTIONS: Mapping[str, Callable[..., Meaning | None]] = {
    "same": lambda *parts: parts[-1],
    "both": lambda first, second: ("all", first, second),
    "unless": lambda statement, condition: ("unless", statement, condition),
    "unless_first": lambda condition, statement: ("unless", statement, condition),
    "when": lambda statement, condition: ("when", statement, condition),
    "when_first": lambda condition, statement: ("when", statement, condition),
    "only_if": lambda condition, needed: ("unless", ("bar", condition), needed),
    "exclude": _exclude,
    "exclude_of": _exclude,
    "require": _require,
    "need": lambda *parts: ("need", *_require(*parts)[1:]),
    "require_of": _require,
    "require_of_last": _require,
    "require_skip": lambda *parts: ("keep", parts[-1]) if len(parts) == 1 or parts[0][0] == "name" else None,
    "exclude_skip": lambda *parts: ("out", parts[-1]),
    "require_for": lambda option, limit: ("when", ("keep", limit), option),
    "only_if_first": lambda needed, condition: ("unless", ("bar", condition), needed),
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
    "split_by": lambda condition, first, second: (
        "all",
        ("when", first, condition),
        ("when", second, ("not", condition)),
    ),
    "only_without": lambda condition, other: ("out", ("at_once", condition, other)),
    "implies": lambda condition, needed: ("when", ("need", needed), condition),
    "keep_since": lambda period, *name: ("keep", ("date", "since", period)),
    "till": lambda period, *name: ("keep", ("date", "until", period)),
    "until": _date("until"),
    "require_exact": lambda number: ("keep", ("sum", "=", number)),
    "too_much_of": _about(">=", "out"),
    "too_little_of": _about("<=", "out"),
    "keep_at_most_of": _about("<=", "keep"),
    "keep_at_least_of": _about(">=", "keep"),
    "either_without": lambda first, second, other: (
        "any",
        ("at_once", first, ("not", other)),
        ("at_once", second, ("not", other)),
    ),
    "confirm_most": _confirm("between", "<", "<=", "before", "by", "until"),
    "confirm_least": _confirm("between", ">", ">=", "after", "since"),
    "if_none": lambda name, condition: ("when", ("out", condition), ("not", ("having", name[1]))),
    "too_late": lambda period: ("out", ("date", "since", period)),
    "too_early": lambda period: ("out", ("date", "until", period)),
    "on_day": lambda day, period: ("on_day", ("days", frozenset({day[1]})), ("date", "in", period)),
    "at_most_of": lambda number, name: ("of", name[1], ("sum", "<=", number)),
    "at_least_of": lambda number, name: ("of", name[1], ("sum", ">=", number)),
    "only_if_else": lambda condition, needed, rest: (
        "all",
        ("unless", ("bar", condition), needed),
        ("when", rest, ("not", needed)),
    ),
    "if_else": lambda statement, condition, rest: (
        "all",
        ("when", statement, condition),
        ("when", rest, ("not", condition)),
    ),
    "if_else_first": lambda condition, statement, rest: (
        "all",
        ("when", statement, condition),
        ("when", rest, ("not", condition)),
    ),
    "except_there": lambda statement, condition, limit: (
        "all",
        ("unless", statement, condition),
        ("when", ("keep", limit), condition),
    ),
    "or_else_list": lambda first, second: ("or_else_list", first, second),
    "gratis": lambda: ("gratis",),
    "any_of": lambda first, second, third: ("any", first, ("any", second, third)),
    # `The Mill, but not in March` wants the Mill, or has nothing against it.
    "want_but": lambda wanted, other: (
        "either",
        ("fine_but", wanted, other),
        ("all", ("keep", wanted), ("out", other)),
    ),
    "want_only": lambda wanted, needed: (
        "either",
        ("unless", ("bar", wanted), needed),
        ("all", ("keep", wanted), ("keep", needed)),
    ),
    "pay_nothing": lambda: ("keep", ("gratis",)),
    "pay_nothing_for": lambda condition: ("when", ("keep", ("gratis",)), condition),
    # `Jazz or folk, no rock`: where these two, or more, are left.
    "listed": lambda wanted, statement: ("listed", wanted, statement),
    "when_needed": lambda condition, needed: ("when", ("need", needed), condition),
    # `Anna or Bob can't come`: neither, or one of them, and who knows which.
    "exclude_one": lambda condition: ("out_of", condition),
    "exclude_unless": lambda condition, other: ("unless", ("out", condition), other),
    "only_at": lambda first, second: (
        "either",
        ("keep", ("at_once", first, second)),
        ("when", ("keep", first), second),
    ),
    "either_or": lambda first, second: ("any", first, second, "or"),
    "require_last": lambda *parts: ("keep", parts[-1]),
    "having": lambda name: ("having", name[1]),
    "lacking": lambda name: ("not", ("having", name[1])),
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
    "allow": lambda condition: ("fine", condition),
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
