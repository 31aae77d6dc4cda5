"""Formulas -> a value, or the proof that there is none. Inclusion is emptiness: what A accepts and B rejects.

A *goal* is a set of signed shapes that one value must satisfy. `find` answers it: for each type the formulas are
flattened into atoms, which the type's own knowledge solves, and alternatives, which are tried only where the value
found so far does not satisfy them already. Goals for items and properties are answered the same way, and remembered.

Recursion: a goal that is met again while it is being answered counts as empty. That is sound, because a smallest value
of a goal holds no smaller one of the same goal; and it is how a recursive inclusion is proved by coinduction. What was
found empty under such an assumption is kept only once the goal assumed empty has turned out empty itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphbus_core.contracts.inclusion import quick
from graphbus_core.contracts.inclusion.formulas.keywords import Language
from graphbus_core.contracts.inclusion.formulas.logic import (
    ARRAY,
    BOOLEAN,
    KINDS,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Atom,
    Formula,
)
from graphbus_core.contracts.inclusion.formulas.schemas import Shapes
from graphbus_core.contracts.inclusion.holding import Holding
from graphbus_core.contracts.inclusion.kinds.arrays import Arrays
from graphbus_core.contracts.inclusion.kinds.numbers import Numbers
from graphbus_core.contracts.inclusion.kinds.objects import Objects
from graphbus_core.contracts.inclusion.kinds.strings import Strings
from graphbus_core.contracts.inclusion.patterns.language import Arena
from graphbus_core.contracts.values.budget import GivesUp

Goal = frozenset[int]
MAX_DEPTH = 60  # values within values that are made at once
GLANCES = 20_000  # pairs of schemas that are compared by the fast road
_NO_LIMIT = 1 << 30
_TYPES = {
    "null": (NULL,),
    "boolean": (BOOLEAN,),
    "integer": (NUMBER,),
    "number": (NUMBER,),
    "string": (STRING,),
    "array": (ARRAY,),
    "object": (OBJECT,),
}


class Solver:
    """One decision: its shapes, its languages, and what is known of its goals."""

    def __init__(self, shapes: Shapes, counted: frozenset[str] = frozenset()) -> None:
        self.shapes, self.budget = shapes, shapes.budget
        self.glance = quick.Glance(counted, GLANCES)
        self.arena = Arena(self.budget)
        self._holding = Holding(shapes, self.arena)
        self._known: dict[Goal, tuple[Any] | GivesUp | None] = {}
        self._assumed: dict[Goal, int] = {}  # empty, if the goal under way at that depth is
        self._trail: list[Goal] = []  # what stands in _assumed, in order
        self._under_way: dict[Goal, int] = {}
        self._lowest = _NO_LIMIT
        self._fresh: dict[Any, str | None] = {}

    # ---- goals

    def find(self, goal: Goal) -> tuple[Any] | None:
        """A value (in a tuple of one) that satisfies every shape of a goal, or None: there is none. Raises GivesUp."""
        # Nothing is asked of it, so any value will do; a tuple, so that a found `None` differs from none found.
        if not goal:
            return (0,)
        known = self._known.get(goal, goal)
        if known is not goal:
            if isinstance(known, GivesUp):
                raise known
            return known  # type: ignore[return-value]
        depth = self._under_way.get(goal)
        if depth is None:
            depth = self._assumed.get(goal)
        if depth is None:  # a value of a larger goal would be one of the smaller goal that is under way
            depth = next((d for above, d in self._under_way.items() if above <= goal), None)
        if depth is not None:
            self._lowest = min(self._lowest, depth)
            return None
        # After the memory and before the search: most goals of two versions that are nearly alike end here.
        if self._plainly_empty(goal):
            self._known[goal] = None
            return None
        return self._find(goal)

    def _find(self, goal: Goal) -> tuple[Any] | None:
        depth = len(self._under_way)
        if depth > MAX_DEPTH:
            raise GivesUp("undecided", f"values nested more than {MAX_DEPTH} deep would have to be made")
        outer, self._lowest = self._lowest, _NO_LIMIT
        mark = len(self._trail)
        self._under_way[goal] = depth
        answer: tuple[Any] | GivesUp | None
        try:
            answer = self._answer(goal)
        except GivesUp as e:
            if e.kind == "budget":
                raise
            answer = e
        finally:
            del self._under_way[goal]
        lowest = self._lowest
        self._lowest = min(outer, lowest if lowest < depth else _NO_LIMIT)
        # Empty, but only if a goal further out is: not to be believed beyond that goal, and wrong to forget within it.
        if answer is None and lowest < depth:
            self._assumed[goal] = lowest
            self._trail.append(goal)
            return None
        # This goal rests on nothing outside itself. What was empty if it is empty is now settled, or was never known.
        for assumed in self._trail[mark:]:
            del self._assumed[assumed]
            if answer is None:
                self._known[assumed] = None
        del self._trail[mark:]
        # A failure that met an assumption may be the assumption's fault: asked by itself, the goal may have an answer.
        if not (isinstance(answer, GivesUp) and lowest < depth):
            self._known[goal] = answer
        if isinstance(answer, GivesUp):
            raise answer
        return answer

    def recover(self, steps: int) -> None:
        """Ready for another question after one was given up: what was assumed on the way counts no longer."""
        self._assumed.clear()
        self._trail.clear()
        self._under_way.clear()
        self._lowest = _NO_LIMIT
        self.budget.left = steps

    def several(self, goal: Goal, count: int) -> tuple[list[Any], bool]:
        """Up to `count` different values of a goal; fewer only where there are no more (then True)."""
        found: list[Any] = []
        while len(found) < count:
            one = self.find(goal)
            if one is None:
                return found, True
            found.append(one[0])
            goal = goal | {self.shapes.const(one[0]) ^ 1}
        return found, False

    def _plainly_empty(self, goal: Goal) -> bool:
        """What is seen without an answer: opposites, and a fast proof between two shapes."""
        for signed in goal:
            if signed & 1:
                if signed ^ 1 in goal:
                    return True
                wanted = self.shapes[signed].text
                if isinstance(wanted, dict):
                    for other in goal:
                        if not other & 1 and quick.proves(self.shapes[other].text, wanted, self.glance):
                            return True
        return self.shapes.bottom in goal

    def _answer(self, goal: Goal) -> tuple[Any] | None:
        self.budget.take()
        for signed in sorted(goal):
            values = self.shapes.values(signed)
            if values is not None:
                return next(((v,) for v in values if all(self.holds(s, v) for s in goal)), None)
        unsure: GivesUp | None = None
        for kind in self._kinds(goal):
            try:
                found = self._of_kind(goal, kind)
            except GivesUp as e:
                if e.kind == "budget":
                    raise
                unsure = unsure or e
                continue
            if found is not None:
                return found
        if unsure is not None:
            raise unsure
        return None

    def _kinds(self, goal: Goal) -> Iterable[int]:
        """The types worth a look: a plain `type` of one shape settles it."""
        for signed in goal:
            if not signed & 1:
                text = self.shapes[signed].text
                if isinstance(text, dict) and isinstance(text.get("type"), str) and "$ref" not in text:
                    return _TYPES.get(text["type"], KINDS)
        return KINDS

    # ---- one type

    def _of_kind(self, goal: Goal, kind: int) -> tuple[Any] | None:
        formulas = [self.shapes.formula(s, kind) for s in sorted(goal)]
        if False in formulas:
            return None
        if kind in (NULL, BOOLEAN):
            values: tuple[Any, ...] = (None,) if kind == NULL else (False, True)
            return next(((v,) for v in values if all(self._holding.true(f, v, kind) for f in formulas)), None)
        start: Any
        if kind == NUMBER:
            start = Numbers(self.budget)
        elif kind == STRING:
            start = Strings(self.arena)
        else:
            start = Arrays(self) if kind == ARRAY else Objects(self)
        seen: frozenset[int] = frozenset(goal)
        flat = self._flat(formulas, kind, seen)
        if flat is None:
            return None
        atoms, either, seen = flat
        return self._search(start.extend(atoms), either, kind, seen)

    def _flat(
        self, formulas: list[Formula], kind: int, seen: frozenset[int]
    ) -> tuple[list[Atom], list[Formula], frozenset[int]] | None:
        """Atoms and alternatives of a conjunction; None where it is plainly false."""
        atoms: list[Atom] = []
        either: list[Formula] = []
        stack = list(reversed(formulas))
        while stack:
            f = stack.pop()
            if f is True:
                continue
            if f is False:
                return None
            op = f[0]
            if op == "and":
                stack.extend(reversed(f[1]))
            elif op == "or":
                either.append(f)
            elif op == "ref":
                if f[1] ^ 1 in seen:
                    return None
                if f[1] not in seen:
                    self.budget.take()
                    seen |= {f[1]}
                    stack.append(self.shapes.formula(f[1], kind))
            else:
                atoms.append(f)
        return atoms, either, seen

    def _search(self, state: Any, either: list[Formula], kind: int, seen: frozenset[int]) -> tuple[Any] | None:
        self.budget.take()
        if state is None:
            return None
        unsure: GivesUp | None = None
        try:
            found: tuple[Any] | None = state.solve()
        except GivesUp as e:
            if e.kind == "budget" or not either:
                raise
            unsure, open_ones = e, either
        else:
            if found is None:
                return None
            value = found[0]
            open_ones = [f for f in either if not self._holding.true(f, value, kind)]
            if not open_ones:
                return found
        # The alternative with the fewest ways first, as a solver of constraints would: it fails soonest where it fails.
        pick = min(open_ones, key=lambda f: len(f[1]))
        rest = [f for f in either if f is not pick]
        unsure = None
        for option in pick[1]:
            flat = self._flat([option], kind, seen)
            if flat is None:
                continue
            atoms, more, now_seen = flat
            try:
                found = self._search(state.extend(atoms), [*rest, *more], kind, now_seen)
            except GivesUp as e:
                if e.kind == "budget":
                    raise
                unsure = unsure or e
                continue
            if found is not None:
                return found
        if unsure is not None:
            raise unsure
        return None

    def holds(self, signed: int, value: Any) -> bool:
        """Whether a value satisfies a signed shape."""
        return self._holding.holds(signed, value)

    # ---- names of properties

    def in_language(self, language: Language, name: str) -> bool:
        """Whether a property name is one of a language."""
        return self._holding.in_language(language, name)

    def name(self, language: list[tuple[Language, bool]], names: Goal, but: frozenset[str]) -> str | None:
        """A name in (or, where False, not in) each language, that satisfies `names` and is none of `but`."""
        key = (tuple(language), names, but)
        if key not in self._fresh:
            plain = self._name(language, names, but | {""})  # the empty name is legal, and reads badly
            self._fresh[key] = plain if plain is not None or "" in but else self._name(language, names, but)
        return self._fresh[key]

    def _name(self, language: list[tuple[Language, bool]], names: Goal, but: frozenset[str]) -> str | None:
        atoms: list[Atom] = [("nin", but)] if but else []
        either: list[Formula] = []
        for (patterns, _), wanted in language:  # the names that a language excludes are all mentioned, so in `but`
            said = [("pat" if inside else "npat", p) for p, inside in patterns]
            if wanted:
                atoms.extend(said)
            elif said:
                either.append(("or", [("npat" if op == "pat" else "pat", p) for op, p in said]))
            else:
                return None
        flat = self._flat([self.shapes.formula(s, STRING) for s in sorted(names)], STRING, names)
        if flat is None:
            return None
        more, others, seen = flat
        state = Strings(self.arena).extend([*atoms, *more])
        found = self._search(state, [*either, *others], STRING, seen)
        return None if found is None else str(found[0])
