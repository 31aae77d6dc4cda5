"""Objects: fields by name, rules for names by language, required and forbidden names, counts of properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from graphbus_core.contracts.inclusion.formulas import Atom, Language
from graphbus_core.contracts.verdict import Budget, Inconclusive

Goal = frozenset[int]
NO_GOAL: Goal = frozenset()
MAX_FILL = 2_000  # properties made only to reach a minimum


class PropertyFinder(Protocol):
    """Who finds values for the properties and texts for the names."""

    budget: Budget

    def find(self, goal: Goal) -> tuple[Any] | None: ...

    def find_name(self, language: list[tuple[Language, bool]], names: Goal, but: frozenset[str]) -> str | None: ...

    def is_in_language(self, language: Language, name: str) -> bool: ...

    def is_satisfied(self, signed: int, value: Any) -> bool: ...


class Objects:
    """What is known of one object. Grown by `extend`, never changed."""

    __slots__ = ("each", "fields", "finder", "forbidden", "high", "low", "mentioned", "names", "required", "some")

    def __init__(self, finder: PropertyFinder) -> None:
        self.finder = finder
        self.low = 0
        self.high: int | None = None
        self.required: dict[str, None] = {}
        self.forbidden: frozenset[str] = frozenset()
        self.fields: dict[str, Goal] = {}
        self.each: tuple[tuple[Language, int], ...] = ()
        self.names: Goal = NO_GOAL
        self.some: tuple[tuple[Language, Goal, Goal], ...] = ()  # language, what the name is, what the value is
        self.mentioned: frozenset[str] = frozenset()

    def extend(self, atoms: list[Atom]) -> Objects | None:
        """With more atoms; None where that is plainly impossible: the fields that the atoms touch are looked at."""
        if self._is_contradicted(atoms):
            return None
        extended = self._copy()
        touched = extended._add(atoms)
        if extended.high is not None and (extended.high < extended.low or extended.high < len(extended.required)):
            return None
        for name in touched:
            if name in extended.required and not extended._is_possible(name):
                return None
        return extended

    def _is_contradicted(self, atoms: list[Atom]) -> bool:
        """Whether an atom says the opposite of what is known of a field that must be there.

        Two editions of an object with hundreds of fields differ in one. Every other field is refused here, before
        anything is copied; without it a diff is quadratic in the fields, at seven times the cost.
        """
        for atom in atoms:
            if atom[0] == "prop" and atom[2] ^ 1 in self.fields.get(atom[1], NO_GOAL):
                name = atom[1]
                if name in self.required or ("has", name) in atoms:
                    return True
        return False

    def _copy(self) -> Objects:
        """Written out: a loop over the slots takes five times as long, and this runs for every branch of a search."""
        copied = Objects.__new__(Objects)
        copied.finder, copied.low, copied.high, copied.required = self.finder, self.low, self.high, self.required
        copied.forbidden, copied.fields, copied.each, copied.names = self.forbidden, self.fields, self.each, self.names
        copied.some, copied.mentioned = self.some, self.mentioned
        return copied

    def _add(self, atoms: list[Atom]) -> dict[str, None]:
        touched: dict[str, None] = {}
        own_fields = own_required = False
        mentioned = set[str]()
        for atom in atoms:
            op = atom[0]
            if op == "has":
                if atom[1] not in self.required:
                    if not own_required:
                        self.required, own_required = dict(self.required), True
                    self.required[atom[1]] = None
                touched[atom[1]] = None
                mentioned.add(atom[1])
            elif op == "lacks":
                self.forbidden |= {atom[1]}
                touched[atom[1]] = None
                mentioned.add(atom[1])
            elif op == "prop":
                if not own_fields:
                    self.fields, own_fields = dict(self.fields), True
                self.fields[atom[1]] = self.fields.get(atom[1], NO_GOAL) | {atom[2]}
                touched[atom[1]] = None
                mentioned.add(atom[1])
            elif op == "each":
                self.each = (*self.each, (atom[1], atom[2]))
                mentioned |= atom[1][1]
                touched = dict.fromkeys([*touched, *self.required])
            elif op == "names":
                self.names |= {atom[1]}
                touched = dict.fromkeys([*touched, *self.required])
            elif op == "some":
                self.some = (*self.some, (atom[1], NO_GOAL, frozenset([atom[2]])))
                mentioned |= atom[1][1]
            elif op == "name":
                self.some = (*self.some, (((), frozenset()), frozenset([atom[1]]), NO_GOAL))
            elif op == "minprops":
                self.low = max(self.low, atom[1])
            else:
                self.high = atom[1] if self.high is None else min(self.high, atom[1])
        if not mentioned <= self.mentioned:
            self.mentioned |= mentioned
        return touched

    def _is_allowed(self, name: str) -> bool:
        return name not in self.forbidden and all(self.finder.is_satisfied(s, name) for s in self.names)

    def _build_goal(self, name: str) -> Goal:
        goal = self.fields.get(name, NO_GOAL)
        more = [s for language, s in self.each if self.finder.is_in_language(language, name)]
        return goal.union(more) if more else goal

    def _is_possible(self, name: str) -> bool:
        if not self._is_allowed(name):
            return False
        try:
            return self.finder.find(self._build_goal(name)) is not None
        except Inconclusive as e:
            if e.kind == "budget":
                raise
            return True  # not known to be impossible

    def solve(self) -> tuple[Any] | None:
        """An object, or None: the proof that there is none. Raises Inconclusive."""
        members: dict[str, Any] = {}
        for name in self.required:
            self.finder.budget.spend()
            if not self._is_allowed(name):
                return None
            solution = self.finder.find(self._build_goal(name))
            if solution is None:
                return None
            members[name] = solution[0]
        if not self.some and self.low <= len(members):
            return (members,)
        unsure: list[Inconclusive] = []
        for placed in self._list_placements(0, members, {}, frozenset(), unsure):
            if self.high is not None and len(placed) > self.high:
                continue
            filled = self._fill_up(placed, unsure)
            if filled is not None:
                return (filled,)
            if not self.some:
                break
        if unsure:
            raise unsure[0]
        return None

    # ---- what must exist under some name

    def _list_placements(
        self, i: int, members: dict[str, Any], goals: dict[str, Goal], fresh: frozenset[str], unsure: list[Inconclusive]
    ) -> Iterator[dict[str, Any]]:
        """Ways to give each `some` a property; `goals` are what was asked of properties beyond their own rules."""
        self.finder.budget.spend()
        if i == len(self.some):
            yield members
            return
        language, names, value_goal = self.some[i]
        full = self.high is not None and len(members) >= self.high
        for name in [*members, *sorted(self.mentioned - members.keys())]:
            if (full and name not in members) or not self.finder.is_in_language(language, name):
                continue
            if not self._is_allowed(name) or not all(self.finder.is_satisfied(s, name) for s in names):
                continue
            goal = self._build_goal(name) | goals.get(name, NO_GOAL) | value_goal
            solution = self._find(goal, unsure)
            if solution is not None:
                yield from self._list_placements(
                    i + 1, {**members, name: solution[0]}, {**goals, name: goal}, fresh, unsure
                )
        if full:
            if fresh:  # a name made for another may have been chosen badly
                unsure.append(Inconclusive("undecided", "names are scarce, and several have to be made"))
            return
        for made_name, goal in self._find_fresh_names(language, names, value_goal, frozenset(members), unsure):
            solution = self._find(goal, unsure)
            if solution is not None:
                extended = {**members, made_name: solution[0]}
                yield from self._list_placements(
                    i + 1, extended, {**goals, made_name: goal}, fresh | {made_name}, unsure
                )

    def _find(self, goal: Goal, unsure: list[Inconclusive]) -> tuple[Any] | None:
        try:
            return self.finder.find(goal)
        except Inconclusive as e:
            if e.kind == "budget":
                raise
            unsure.append(e)
            return None

    def _find_fresh_names(
        self, language: Language, names: Goal, value_goal: Goal, used_names: frozenset[str], unsure: list[Inconclusive]
    ) -> Iterator[tuple[str, Goal]]:
        """A name that nobody mentions, for each set of rules that names can fall under, and the goal of its value."""
        but = self.mentioned | used_names
        # A rule without patterns covers every name that nobody mentions.
        always = frozenset(s for lang, s in self.each if not lang[0])
        rules = [(lang, s) for lang, s in self.each if lang[0]]
        name_goal = self.names | names

        def walk(i: int, memberships: list[tuple[Language, bool]], goal: Goal) -> Iterator[tuple[str, Goal]]:
            self.finder.budget.spend()
            try:
                name = self.finder.find_name(memberships, name_goal, but)
            except Inconclusive as e:
                if e.kind == "budget":
                    raise
                unsure.append(e)
                return
            if name is None:
                return
            if i == len(rules):
                yield name, goal
                return
            lang, signed = rules[i]
            yield from walk(i + 1, [*memberships, (lang, False)], goal)
            yield from walk(i + 1, [*memberships, (lang, True)], goal | {signed})

        yield from walk(0, [(language, True)], value_goal | always)

    # ---- enough properties

    def _fill_up(self, members: dict[str, Any], unsure: list[Inconclusive]) -> dict[str, Any] | None:
        if len(members) >= self.low:
            return members
        if self.low > MAX_FILL:
            raise Inconclusive("undecided", f"an object of {self.low} properties is too large to be made here")
        members = dict(members)
        for name in sorted(self.mentioned - members.keys()):
            if self._is_allowed(name):
                solution = self._find(self._build_goal(name), unsure)
                if solution is not None:
                    members[name] = solution[0]
                    if len(members) >= self.low:
                        return members
        anything: Language = ((), frozenset())
        while len(members) < self.low:
            before = len(members)
            for name, goal in self._find_fresh_names(anything, NO_GOAL, NO_GOAL, frozenset(members), unsure):
                solution = self._find(goal, unsure)
                if solution is not None:
                    members[name] = solution[0]
                    break
            if len(members) == before:
                return None
        return members
