"""The least and the greatest total that one advocate's scores can come to, over all packages. Exact, without a library.

Options of one issue exclude each other, so the negative entries of a conditional table never all count. Issues that no
condition ties together are looked at apart. Within a group issues are eliminated one after the other (dynamic
programming over their neighbours, Bertele and Brioschi 1972), which takes every package into account and visits few.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

MOST_STEPS = 400_000  # of one group of issues, about half a second; beyond it a bound is given, and called one
Table = tuple[tuple[int, ...], Mapping[tuple[int, ...], float]]  # issues, and what each choice of them adds at best
Condition = tuple[Mapping[int, frozenset[int]], float]  # options by issue number, and the score where all of it holds


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """From the least total to the greatest. `exact`: some package reaches each; else nothing lies outside."""

    least: float
    greatest: float
    exact: bool


def compute_score_range(rows: Sequence[Sequence[float]], conditions: Sequence[Condition]) -> ScoreRange:
    """The range of `rows[issue][option]` summed over one option an issue, plus the conditions that hold."""
    tied = {issue for when, _ in conditions for issue in when}
    constant = sum(score for when, score in conditions if not when)
    least = sum(min(row) for i, row in enumerate(rows) if i not in tied) + constant
    greatest = sum(max(row) for i, row in enumerate(rows) if i not in tied) + constant
    exact = True
    for group in _group_issues([c for c in conditions if c[0]]):
        low, high = (_Elimination(rows, group, pick).find_best() for pick in (min, max))
        if low is None or high is None:
            exact = False
            issues = {issue for when, _ in group for issue in when}
            low = sum(min(rows[i]) for i in issues) + sum(min(0.0, score) for _, score in group)
            high = sum(max(rows[i]) for i in issues) + sum(max(0.0, score) for _, score in group)
        least += low
        greatest += high
    return ScoreRange(least, greatest, exact)


def _group_issues(conditions: Sequence[Condition]) -> list[list[Condition]]:
    """The conditions by connected group: two that share an issue are in one."""
    groups: list[tuple[set[int], list[Condition]]] = []
    for condition in conditions:
        issues, members = set(condition[0]), [condition]
        apart = []
        for group in groups:
            if group[0] & issues:
                issues |= group[0]
                members = [*group[1], *members]
            else:
                apart.append(group)
        groups = [*apart, (issues, members)]
    return [members for _, members in groups]


class _Elimination:
    """One group's best total by `pick` (min or max)."""

    def __init__(self, rows: Sequence[Sequence[float]], group: Sequence[Condition], pick: Callable[..., float]) -> None:
        self.pick = pick
        self.steps = 0
        self.own: dict[int, list[float]] = {}  # what each kind of option is worth by itself, at best
        self.conditions: list[Condition] = []
        kinds: dict[int, dict[tuple[bool, ...], int]] = {}
        # Options that no condition tells apart are one kind: of them only the best counts.
        for issue in sorted({i for when, _ in group for i in when}):
            naming = [when[issue] for when, _ in group if issue in when]
            by_kind: dict[tuple[bool, ...], list[float]] = {}
            for option, worth in enumerate(rows[issue]):
                by_kind.setdefault(tuple(option in options for options in naming), []).append(worth)
            kinds[issue] = {kind: n for n, kind in enumerate(by_kind)}
            self.own[issue] = [pick(worths) for worths in by_kind.values()]
        position = dict.fromkeys(kinds, 0)
        for when, score in group:
            named: dict[int, frozenset[int]] = {}
            for issue in when:
                named[issue] = frozenset(n for kind, n in kinds[issue].items() if kind[position[issue]])
                position[issue] += 1
            self.conditions.append((named, score))
        self.tables: list[Table] = []

    def find_best(self) -> float | None:
        """The best total, or None where it takes more than `MOST_STEPS`."""
        left = set(self.own)
        while left:
            issue = min(sorted(left), key=self._count_choices)
            left.remove(issue)
            if not self._eliminate(issue):
                return None
        return sum(table[()] for _, table in self.tables)

    def _list_neighbours(self, issue: int) -> list[int]:
        scopes = [when for when, _ in self.conditions if issue in when]
        scopes_of_tables = [scope for scope, _ in self.tables if issue in scope]
        return sorted({i for scope in (*scopes, *scopes_of_tables) for i in scope} - {issue})

    def _count_choices(self, issue: int) -> int:
        return math.prod(len(self.own[i]) for i in self._list_neighbours(issue))

    def _eliminate(self, issue: int) -> bool:
        """Put a table over the issue's neighbours in the place of all that speaks of it; False: too many steps."""
        scope = (*self._list_neighbours(issue), issue)
        conditions = [c for c in self.conditions if issue in c[0]]
        tables = [t for t in self.tables if issue in t[0]]
        self.steps += math.prod(len(self.own[i]) for i in scope) * (1 + len(conditions) + len(tables))
        if self.steps > MOST_STEPS:
            return False
        place = {i: n for n, i in enumerate(scope)}
        table: dict[tuple[int, ...], float] = {}
        for choice in product(*(range(len(self.own[i])) for i in scope)):
            total = self.own[issue][choice[-1]]
            total += sum(s for when, s in conditions if all(choice[place[i]] in o for i, o in when.items()))
            total += sum(values[tuple(choice[place[i]] for i in issues)] for issues, values in tables)
            key = choice[:-1]
            table[key] = self.pick(table[key], total) if key in table else total
        self.conditions = [c for c in self.conditions if issue not in c[0]]
        self.tables = [t for t in self.tables if issue not in t[0]] + [(scope[:-1], table)]
        return True
