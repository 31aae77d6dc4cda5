"""Arrays: lengths, items by position, counts of items that satisfy something, uniqueness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from typing import Any, Protocol

from graphbus_core.contracts.inclusion.formulas.logic import Atom, key_of
from graphbus_core.contracts.values.budget import Budget, GivesUp

Goal = frozenset[int]
Counts = tuple[int, ...]  # a number for each of `counts` and `mosts`, in that order
Cell = tuple[Counts, Any]  # what one item adds to each, and such an item
Paths = dict[Counts, Any]  # what was counted so far -> the items that lead there, as a chain of pairs
MAX_LENGTH = 1_000_000
MAX_UNIQUE = 60  # unique items that are laid out one by one
MAX_COUNTED = 5  # counted conditions on one array
MAX_LAYOUTS = 400


class Values(Protocol):
    """Who finds values for the items."""

    budget: Budget

    def find(self, goal: Goal) -> tuple[Any] | None: ...

    def several(self, goal: Goal, count: int) -> tuple[list[Any], bool]: ...


class Arrays:
    """What is known of one array. Grown by `extend`, never changed."""

    __slots__ = ("alls", "at", "counts", "high", "low", "mosts", "repeated", "unique", "values")

    def __init__(self, values: Values) -> None:
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
        made = Arrays(self.values)
        for name in self.__slots__:
            setattr(made, name, getattr(self, name))
        made.at = dict(self.at)
        for atom in atoms:
            op = atom[0]
            if op == "minlen":
                made.low = max(made.low, atom[1])
            elif op == "maxlen":
                made.high = atom[1] if made.high is None else min(made.high, atom[1])
            elif op == "at":
                made.at[atom[1]] = made.at.get(atom[1], frozenset()) | {atom[2]}
            elif op == "all":
                made.alls = (*made.alls, atom[1:])
            elif op == "count":
                made.counts = (*made.counts, atom[1:])
            elif op == "most":
                made.mosts = (*made.mosts, atom[1:])
            elif op == "uniq":
                made.unique = True
            else:
                made.repeated = True
        for start, _, low in made.counts:
            made.low = max(made.low, start + low)
        if made.repeated:
            made.low = max(made.low, 2)
        if (made.unique and made.repeated) or (made.high is not None and made.high < made.low):
            return None
        return made

    def _goal(self, i: int) -> Goal:
        return self.at.get(i, frozenset()).union(s for start, s in self.alls if i >= start)

    def _distinct(self) -> int:
        """Positions from here on are alike."""
        starts = [start for start, *_ in (*self.alls, *self.counts, *self.mosts)]
        return max([0, *(i + 1 for i in self.at), *starts])

    def solve(self) -> tuple[Any] | None:
        """An array, or None: the proof that there is none. Raises GivesUp."""
        if self.low > MAX_LENGTH:
            raise GivesUp("undecided", f"an array of {self.low} items is too long to be made here")
        if self.unique:
            return self._unique()
        if not self.counts and not self.mosts and not self.repeated:
            return self._simple()
        if not self.repeated:
            return self._counted({})
        unsure: GivesUp | None = None
        for i, j in self._pairs():
            for forced in self._forced(i, j):
                try:
                    found = self._counted(forced, max(self.low, j + 1))
                except GivesUp as e:
                    if e.kind == "budget":
                        raise
                    unsure = e
                    continue
                if found is not None:
                    return found
        if unsure is not None:
            raise unsure
        return None

    def _simple(self) -> tuple[Any] | None:
        same = self._distinct()
        made: list[Any] = []
        # As short as it may be: what a person must read to see why two contracts do not fit.
        for i in range(min(self.low, same)):
            found = self.values.find(self._goal(i))
            if found is None:
                return None
            made.append(found[0])
        if self.low > same:
            found = self.values.find(self._goal(same))
            if found is None:
                return None
            made.extend([found[0]] * (self.low - same))
        return (made,)

    # ---- counts: a walk along the positions, with what has been counted so far

    def _counted(self, forced: dict[int, list[Cell]], low: int | None = None) -> tuple[Any] | None:
        wanted = self.low if low is None else low
        same = max([self._distinct(), *(i + 1 for i in forced)])
        unsure: list[GivesUp] = []
        states: Paths = {(0,) * (len(self.counts) + len(self.mosts)): None}
        cells: list[Cell] = []
        seen: set[Counts] = set()
        for i in count():
            found = self._enough(states) if i >= wanted else None
            if found is not None:
                return found
            if self.high is not None and i >= self.high:
                break
            if i <= same:
                cells = forced[i] if i in forced else self._cells(i, unsure)
            states = self._one_item_more(states, cells)
            if not states:
                break
            if i > same and i >= wanted:  # the positions are alike from here on, so only new counts lead anywhere
                if states.keys() <= seen:
                    break
                seen |= states.keys()
        if unsure:
            raise unsure[0]
        return None

    def _enough(self, states: Paths) -> tuple[Any] | None:
        """An array that may end here: everything that must be counted often enough was."""
        for state, path in states.items():
            if all(n >= c[2] for n, c in zip(state, self.counts, strict=False)):
                return (_unwind(path),)
        return None

    def _one_item_more(self, states: Paths, cells: list[Cell]) -> Paths:
        """Every count that one item more can lead to. One way to it is kept: how it was reached does not matter."""
        after: Paths = {}
        for state, path in states.items():
            for marks, value in cells:
                self.values.budget.take()
                made = self._counted_on(state, marks)
                if made is not None and made not in after:
                    after[made] = (path, value)
        return after

    def _counted_on(self, state: Counts, marks: Counts) -> Counts | None:
        made: list[int] = []
        for n, mark, rule in zip(state, marks, (*self.counts, *self.mosts), strict=True):
            more = n + mark
            if len(made) < len(self.counts):
                more = min(more, rule[2])
            elif more > rule[2]:
                return None
            made.append(more)
        return tuple(made)

    def _cells(self, i: int, unsure: list[GivesUp], joint: Goal = frozenset()) -> list[Cell]:
        """The ways in which the item at a position may count, each with a value."""
        found = []
        for marks, goal in self._cell_goals(i, joint):
            try:
                value = self.values.find(goal)
            except GivesUp as e:
                if e.kind == "budget":
                    raise
                unsure.append(e)
                continue
            if value is not None:
                found.append((marks, value[0]))
        return found

    def _cell_goals(self, i: int, joint: Goal = frozenset()) -> Iterator[tuple[Counts, Goal]]:
        rules = (*self.counts, *self.mosts)
        # Each rule doubles the ways in which one item may count.
        if len(rules) > MAX_COUNTED:
            raise GivesUp("budget", "too many conditions count the items of one array")
        base = self._goal(i) | joint
        choices = [(0, 1) if i >= start else (0,) for start, *_ in rules]
        for marks in product(*choices):
            signs = {s if mark else s ^ 1 for mark, (start, s, _) in zip(marks, rules, strict=True) if i >= start}
            yield marks, base | signs

    def _pairs(self) -> Iterator[tuple[int, int]]:
        end = self._distinct() + 2
        if self.high is not None:
            end = min(end, self.high)
        for j in range(end):
            for i in range(j):
                yield i, j

    def _forced(self, i: int, j: int) -> Iterator[dict[int, list[Cell]]]:
        """Equal values at two positions, in every way in which they may count."""
        unsure: list[GivesUp] = []
        rules = (*self.counts, *self.mosts)
        for marks, value in self._cells(j, unsure, self._goal(i)):
            first = tuple(m if i >= rule[0] else 0 for m, rule in zip(marks, rules, strict=True))
            yield {i: [(first, value)], j: [(marks, value)]}
        if unsure:
            raise unsure[0]

    # ---- unique items: a system of distinct representatives

    def _unique(self) -> tuple[Any] | None:
        if self.low > MAX_UNIQUE:
            raise GivesUp("undecided", f"{self.low} unique items are too many to be laid out here")
        if not self.counts and not self.mosts:
            return self._distinct_values([self._goal(i) for i in range(self.low)])
        tried = 0
        most = self.low + sum(low for *_, low in self.counts)
        if self.high is not None:
            most = min(most, self.high)
        for length in range(self.low, most + 1):
            for layout in self._layouts(length, (0,) * (len(self.counts) + len(self.mosts)), []):
                tried += 1
                if tried > MAX_LAYOUTS:
                    raise GivesUp("budget", "unique and counted items have too many layouts")
                found = self._distinct_values(layout)
                if found is not None:
                    return found
        return None

    def _layouts(self, length: int, state: Counts, goals: list[Goal]) -> Iterator[list[Goal]]:
        self.values.budget.take()
        if len(goals) == length:
            if all(n >= c[2] for n, c in zip(state, self.counts, strict=False)):
                yield goals
            return
        for marks, goal in self._cell_goals(len(goals)):
            made = self._counted_on(state, marks)
            if made is not None and self.values.find(goal) is not None:
                yield from self._layouts(length, made, [*goals, goal])

    def _distinct_values(self, goals: list[Goal]) -> tuple[Any] | None:
        """A value for each goal, no two equal (augmenting paths); as many candidates as there are goals suffice."""
        domains: dict[Goal, list[Any]] = {}
        for goal in goals:
            if goal not in domains:
                domains[goal] = self.values.several(goal, len(goals))[0]
        keys = {g: [key_of(v) for v in vs] for g, vs in domains.items()}
        taken: dict[Any, int] = {}
        chosen: dict[int, Any] = {}

        def assign(i: int, seen: set[Any]) -> bool:
            for key, value in zip(keys[goals[i]], domains[goals[i]], strict=True):
                if key in seen:
                    continue
                seen.add(key)
                self.values.budget.take()
                if key not in taken or assign(taken[key], seen):
                    taken[key], chosen[i] = i, value
                    return True
            return False

        for i in range(len(goals)):
            if not assign(i, set()):
                return None
        return ([chosen[i] for i in range(len(goals))],)


def _unwind(path: Any) -> list[Any]:
    made: list[Any] = []
    while path is not None:
        path, value = path
        made.append(value)
    return made[::-1]
