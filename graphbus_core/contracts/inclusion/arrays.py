"""Arrays: lengths, items by position, counts of items that satisfy something, uniqueness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from typing import Any, Protocol

from graphbus_core.contracts.inclusion.formulas import Atom, make_key
from graphbus_core.contracts.verdict import Budget, Inconclusive

Goal = frozenset[int]
Counts = tuple[int, ...]  # a number for each of `counts` and `mosts`, in that order
Cell = tuple[Counts, Any]  # what one item adds to each, and such an item
Paths = dict[Counts, Any]  # what was counted so far -> the items that lead there, as a chain of pairs
MAX_LENGTH = 1_000_000
MAX_UNIQUE = 60  # unique items that are laid out one by one
MAX_COUNTED = 5  # counted conditions on one array
MAX_LAYOUTS = 400


class ItemFinder(Protocol):
    """Who finds values for the items."""

    budget: Budget

    def find(self, goal: Goal) -> tuple[Any] | None: ...

    def find_several(self, goal: Goal, count: int) -> tuple[list[Any], bool]: ...


class Arrays:
    """What is known of one array. Grown by `extend`, never changed."""

    __slots__ = ("alls", "at", "counts", "high", "low", "mosts", "repeated", "unique", "values")

    def __init__(self, values: ItemFinder) -> None:
        self.values = values
        self.low = 0
        self.high: int | None = None
        self.at: dict[int, Goal] = {}
        self.alls: tuple[tuple[int, int], ...] = ()
        self.counts: tuple[tuple[int, int, int], ...] = ()
        self.mosts: tuple[tuple[int, int, int], ...] = ()
        self.unique = self.repeated = False

    def extend(self, atoms: list[Atom]) -> Arrays | None:
        """With more atoms; None where that is plainly impossible."""
        extended = Arrays(self.values)
        for name in self.__slots__:
            setattr(extended, name, getattr(self, name))
        extended.at = dict(self.at)
        for atom in atoms:
            op = atom[0]
            if op == "minlen":
                extended.low = max(extended.low, atom[1])
            elif op == "maxlen":
                extended.high = atom[1] if extended.high is None else min(extended.high, atom[1])
            elif op == "at":
                extended.at[atom[1]] = extended.at.get(atom[1], frozenset()) | {atom[2]}
            elif op == "all":
                extended.alls = (*extended.alls, atom[1:])
            elif op == "count":
                extended.counts = (*extended.counts, atom[1:])
            elif op == "most":
                extended.mosts = (*extended.mosts, atom[1:])
            elif op == "uniq":
                extended.unique = True
            else:
                extended.repeated = True
        for start, _, low in extended.counts:
            extended.low = max(extended.low, start + low)
        if extended.repeated:
            extended.low = max(extended.low, 2)
        if (extended.unique and extended.repeated) or (extended.high is not None and extended.high < extended.low):
            return None
        return extended

    def _build_goal(self, i: int) -> Goal:
        return self.at.get(i, frozenset()).union(s for start, s in self.alls if i >= start)

    def _count_distinct_positions(self) -> int:
        """Positions from here on are alike."""
        starts = [start for start, *_ in (*self.alls, *self.counts, *self.mosts)]
        return max([0, *(i + 1 for i in self.at), *starts])

    def solve(self) -> tuple[Any] | None:
        """An array, or None: the proof that there is none. Raises Inconclusive."""
        if self.low > MAX_LENGTH:
            raise Inconclusive("undecided", f"an array of {self.low} items is too long to be made here")
        if self.unique:
            return self._solve_unique()
        if not self.counts and not self.mosts and not self.repeated:
            return self._solve_simple()
        if not self.repeated:
            return self._solve_counted({})
        unsure: Inconclusive | None = None
        for i, j in self._list_pairs():
            for forced in self._list_forced_cells(i, j):
                try:
                    solution = self._solve_counted(forced, max(self.low, j + 1))
                except Inconclusive as e:
                    if e.kind == "budget":
                        raise
                    unsure = e
                    continue
                if solution is not None:
                    return solution
        if unsure is not None:
            raise unsure
        return None

    def _solve_simple(self) -> tuple[Any] | None:
        same = self._count_distinct_positions()
        array_items: list[Any] = []
        # As short as it may be: what a person must read to see why two contracts do not fit.
        for i in range(min(self.low, same)):
            solution = self.values.find(self._build_goal(i))
            if solution is None:
                return None
            array_items.append(solution[0])
        if self.low > same:
            solution = self.values.find(self._build_goal(same))
            if solution is None:
                return None
            array_items.extend([solution[0]] * (self.low - same))
        return (array_items,)

    # ---- counts: a walk along the positions, with what has been counted so far

    def _solve_counted(self, forced: dict[int, list[Cell]], low: int | None = None) -> tuple[Any] | None:
        shortest = self.low if low is None else low
        same = max([self._count_distinct_positions(), *(i + 1 for i in forced)])
        unsure: list[Inconclusive] = []
        states: Paths = {(0,) * (len(self.counts) + len(self.mosts)): None}
        cells: list[Cell] = []
        visited: set[Counts] = set()
        for i in count():
            solution = self._find_finished(states) if i >= shortest else None
            if solution is not None:
                return solution
            if self.high is not None and i >= self.high:
                break
            if i <= same:
                cells = forced[i] if i in forced else self._find_cells(i, unsure)
            states = self._add_item(states, cells)
            if not states:
                break
            if i > same and i >= shortest:  # the positions are alike from here on, so only new counts lead anywhere
                if states.keys() <= visited:
                    break
                visited |= states.keys()
        if unsure:
            raise unsure[0]
        return None

    def _find_finished(self, states: Paths) -> tuple[Any] | None:
        """An array that may end here: everything that must be counted often enough was."""
        for state, path in states.items():
            if all(n >= c[2] for n, c in zip(state, self.counts, strict=False)):
                return (_collect_path(path),)
        return None

    def _add_item(self, states: Paths, cells: list[Cell]) -> Paths:
        """Every count that one item more can lead to. One way to it is kept: how it was reached does not matter."""
        after: Paths = {}
        for state, path in states.items():
            for marks, value in cells:
                self.values.budget.spend()
                new_counts = self._add_counts(state, marks)
                if new_counts is not None and new_counts not in after:
                    after[new_counts] = (path, value)
        return after

    def _add_counts(self, state: Counts, marks: Counts) -> Counts | None:
        sums: list[int] = []
        for n, mark, rule in zip(state, marks, (*self.counts, *self.mosts), strict=True):
            more = n + mark
            if len(sums) < len(self.counts):
                more = min(more, rule[2])
            elif more > rule[2]:
                return None
            sums.append(more)
        return tuple(sums)

    def _find_cells(self, i: int, unsure: list[Inconclusive], joint: Goal = frozenset()) -> list[Cell]:
        """The ways in which the item at a position may count, each with a value."""
        cells = []
        for marks, goal in self._list_cell_goals(i, joint):
            try:
                value = self.values.find(goal)
            except Inconclusive as e:
                if e.kind == "budget":
                    raise
                unsure.append(e)
                continue
            if value is not None:
                cells.append((marks, value[0]))
        return cells

    def _list_cell_goals(self, i: int, joint: Goal = frozenset()) -> Iterator[tuple[Counts, Goal]]:
        rules = (*self.counts, *self.mosts)
        # Each rule doubles the ways in which one item may count.
        if len(rules) > MAX_COUNTED:
            raise Inconclusive("budget", "too many conditions count the items of one array")
        base = self._build_goal(i) | joint
        choices = [(0, 1) if i >= start else (0,) for start, *_ in rules]
        for marks in product(*choices):
            signs = {s if mark else s ^ 1 for mark, (start, s, _) in zip(marks, rules, strict=True) if i >= start}
            yield marks, base | signs

    def _list_pairs(self) -> Iterator[tuple[int, int]]:
        end = self._count_distinct_positions() + 2
        if self.high is not None:
            end = min(end, self.high)
        for j in range(end):
            for i in range(j):
                yield i, j

    def _list_forced_cells(self, i: int, j: int) -> Iterator[dict[int, list[Cell]]]:
        """Equal values at two positions, in every way in which they may count."""
        unsure: list[Inconclusive] = []
        rules = (*self.counts, *self.mosts)
        for marks, value in self._find_cells(j, unsure, self._build_goal(i)):
            first = tuple(m if i >= rule[0] else 0 for m, rule in zip(marks, rules, strict=True))
            yield {i: [(first, value)], j: [(marks, value)]}
        if unsure:
            raise unsure[0]

    # ---- unique items: a system of distinct representatives

    def _solve_unique(self) -> tuple[Any] | None:
        if self.low > MAX_UNIQUE:
            raise Inconclusive("undecided", f"{self.low} unique items are too many to be laid out here")
        if not self.counts and not self.mosts:
            return self._assign_distinct_values([self._build_goal(i) for i in range(self.low)])
        tried = 0
        most = self.low + sum(low for *_, low in self.counts)
        if self.high is not None:
            most = min(most, self.high)
        for length in range(self.low, most + 1):
            for layout in self._list_layouts(length, (0,) * (len(self.counts) + len(self.mosts)), []):
                tried += 1
                if tried > MAX_LAYOUTS:
                    raise Inconclusive("budget", "unique and counted items have too many layouts")
                solution = self._assign_distinct_values(layout)
                if solution is not None:
                    return solution
        return None

    def _list_layouts(self, length: int, state: Counts, goals: list[Goal]) -> Iterator[list[Goal]]:
        self.values.budget.spend()
        if len(goals) == length:
            if all(n >= c[2] for n, c in zip(state, self.counts, strict=False)):
                yield goals
            return
        for marks, goal in self._list_cell_goals(len(goals)):
            new_counts = self._add_counts(state, marks)
            if new_counts is not None and self.values.find(goal) is not None:
                yield from self._list_layouts(length, new_counts, [*goals, goal])

    def _assign_distinct_values(self, goals: list[Goal]) -> tuple[Any] | None:
        """A value for each goal, no two equal (augmenting paths); as many candidates as there are goals suffice."""
        domains: dict[Goal, list[Any]] = {}
        for goal in goals:
            if goal not in domains:
                domains[goal] = self.values.find_several(goal, len(goals))[0]
        keys = {g: [make_key(v) for v in vs] for g, vs in domains.items()}
        owner_by_key: dict[Any, int] = {}
        chosen: dict[int, Any] = {}

        def assign(i: int, visited: set[Any]) -> bool:
            for key, value in zip(keys[goals[i]], domains[goals[i]], strict=True):
                if key in visited:
                    continue
                visited.add(key)
                self.values.budget.spend()
                if key not in owner_by_key or assign(owner_by_key[key], visited):
                    owner_by_key[key], chosen[i] = i, value
                    return True
            return False

        for i in range(len(goals)):
            if not assign(i, set()):
                return None
        return ([chosen[i] for i in range(len(goals))],)


def _collect_path(path: Any) -> list[Any]:
    array_items: list[Any] = []
    while path is not None:
        path, value = path
        array_items.append(value)
    return array_items[::-1]
