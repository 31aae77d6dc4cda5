"""Objects: fields by name, rules for names by language, required and forbidden names, counts of properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from graphbus_core.contracts.inclusion.formulas.keywords import Language
from graphbus_core.contracts.inclusion.formulas.logic import Atom
from graphbus_core.contracts.values.budget import Budget, GivesUp

Goal = frozenset[int]
NO_GOAL: Goal = frozenset()
MAX_FILL = 2_000  # properties made only to reach a minimum


class Finder(Protocol):
    """Who finds values for the properties and texts for the names."""

    budget: Budget

    def find(self, goal: Goal) -> tuple[Any] | None: ...

    def name(self, language: list[tuple[Language, bool]], names: Goal, but: frozenset[str]) -> str | None: ...

    def in_language(self, language: Language, name: str) -> bool: ...

    def holds(self, signed: int, value: Any) -> bool: ...


class Objects:
    """What is known of one object. Grown by `extend`, never changed."""

    __slots__ = ("each", "fields", "finder", "forbidden", "high", "low", "mentioned", "names", "required", "some")

    def __init__(self, finder: Finder) -> None:
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
        if self._contradicts(atoms):
            return None
        made = self._copy()
        touched = made._add(atoms)
        if made.high is not None and (made.high < made.low or made.high < len(made.required)):
            return None
        for name in touched:
            if name in made.required and not made._possible(name):
                return None
        return made

    def _contradicts(self, atoms: list[Atom]) -> bool:
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
        made = Objects.__new__(Objects)
        made.finder, made.low, made.high, made.required = self.finder, self.low, self.high, self.required
        made.forbidden, made.fields, made.each, made.names = self.forbidden, self.fields, self.each, self.names
        made.some, made.mentioned = self.some, self.mentioned
        return made

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

    def _allowed(self, name: str) -> bool:
        return name not in self.forbidden and all(self.finder.holds(s, name) for s in self.names)

    def _goal(self, name: str) -> Goal:
        goal = self.fields.get(name, NO_GOAL)
        more = [s for language, s in self.each if self.finder.in_language(language, name)]
        return goal.union(more) if more else goal

    def _possible(self, name: str) -> bool:
        if not self._allowed(name):
            return False
        try:
            return self.finder.find(self._goal(name)) is not None
        except GivesUp as e:
            if e.kind == "budget":
                raise
            return True  # not known to be impossible

    def solve(self) -> tuple[Any] | None:
        """An object, or None: the proof that there is none. Raises GivesUp."""
        made: dict[str, Any] = {}
        for name in self.required:
            self.finder.budget.take()
            if not self._allowed(name):
                return None
            found = self.finder.find(self._goal(name))
            if found is None:
                return None
            made[name] = found[0]
        if not self.some and self.low <= len(made):
            return (made,)
        unsure: list[GivesUp] = []
        for placed in self._placed(0, made, {}, frozenset(), unsure):
            if self.high is not None and len(placed) > self.high:
                continue
            filled = self._filled(placed, unsure)
            if filled is not None:
                return (filled,)
            if not self.some:
                break
        if unsure:
            raise unsure[0]
        return None

    # ---- what must exist under some name

    def _placed(
        self, i: int, made: dict[str, Any], goals: dict[str, Goal], fresh: frozenset[str], unsure: list[GivesUp]
    ) -> Iterator[dict[str, Any]]:
        """Ways to give each `some` a property; `goals` are what was asked of properties beyond their own rules."""
        self.finder.budget.take()
        if i == len(self.some):
            yield made
            return
        language, names, wanted = self.some[i]
        full = self.high is not None and len(made) >= self.high
        for name in [*made, *sorted(self.mentioned - made.keys())]:
            if (full and name not in made) or not self.finder.in_language(language, name):
                continue
            if not self._allowed(name) or not all(self.finder.holds(s, name) for s in names):
                continue
            goal = self._goal(name) | goals.get(name, NO_GOAL) | wanted
            found = self._find(goal, unsure)
            if found is not None:
                yield from self._placed(i + 1, {**made, name: found[0]}, {**goals, name: goal}, fresh, unsure)
        if full:
            if fresh:  # a name made for another may have been chosen badly
                unsure.append(GivesUp("undecided", "names are scarce, and several have to be made"))
            return
        for made_name, goal in self._fresh(language, names, wanted, frozenset(made), unsure):
            found = self._find(goal, unsure)
            if found is not None:
                here = {**made, made_name: found[0]}
                yield from self._placed(i + 1, here, {**goals, made_name: goal}, fresh | {made_name}, unsure)

    def _find(self, goal: Goal, unsure: list[GivesUp]) -> tuple[Any] | None:
        try:
            return self.finder.find(goal)
        except GivesUp as e:
            if e.kind == "budget":
                raise
            unsure.append(e)
            return None

    def _fresh(
        self, language: Language, names: Goal, wanted: Goal, taken: frozenset[str], unsure: list[GivesUp]
    ) -> Iterator[tuple[str, Goal]]:
        """A name that nobody mentions, for each set of rules that names can fall under, and the goal of its value."""
        but = self.mentioned | taken
        # A rule without patterns covers every name that nobody mentions.
        always = frozenset(s for lang, s in self.each if not lang[0])
        rules = [(lang, s) for lang, s in self.each if lang[0]]
        name_goal = self.names | names

        def walk(i: int, said: list[tuple[Language, bool]], goal: Goal) -> Iterator[tuple[str, Goal]]:
            self.finder.budget.take()
            try:
                name = self.finder.name(said, name_goal, but)
            except GivesUp as e:
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
            yield from walk(i + 1, [*said, (lang, False)], goal)
            yield from walk(i + 1, [*said, (lang, True)], goal | {signed})

        yield from walk(0, [(language, True)], wanted | always)

    # ---- enough properties

    def _filled(self, made: dict[str, Any], unsure: list[GivesUp]) -> dict[str, Any] | None:
        if len(made) >= self.low:
            return made
        if self.low > MAX_FILL:
            raise GivesUp("undecided", f"an object of {self.low} properties is too large to be made here")
        made = dict(made)
        for name in sorted(self.mentioned - made.keys()):
            if self._allowed(name):
                found = self._find(self._goal(name), unsure)
                if found is not None:
                    made[name] = found[0]
                    if len(made) >= self.low:
                        return made
        anything: Language = ((), frozenset())
        while len(made) < self.low:
            before = len(made)
            for name, goal in self._fresh(anything, NO_GOAL, NO_GOAL, frozenset(made), unsure):
                found = self._find(goal, unsure)
                if found is not None:
                    made[name] = found[0]
                    break
            if len(made) == before:
                return None
        return made
