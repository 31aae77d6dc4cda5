"""Formulas -> a value, or the proof that there is none. Inclusion is emptiness: what A accepts and B rejects.

A *goal* is a set of signed shapes that one value must satisfy. `find` answers it: for each type the formulas are
flattened into atoms, which the type's own knowledge solves, and alternatives, which are tried only where the value
found so far does not satisfy them already. Goals for items and properties are answered the same way, and remembered.

Recursion: a goal that is met again while it is being answered counts as empty. That is sound, because a smallest value
of a goal holds no smaller one of the same goal; and it is how a recursive inclusion is proved by coinduction. What was
found empty under such an assumption is kept only once the goal assumed empty has turned out empty itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.inclusion import fast_path
from graphbus_core.contracts.inclusion.arrays import Arrays
from graphbus_core.contracts.inclusion.formulas import (
    ARRAY,
    BOOLEAN,
    KINDS,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Atom,
    Formula,
    Language,
    find_kind,
    make_key,
    parse_number,
)
from graphbus_core.contracts.inclusion.languages import TermArena
from graphbus_core.contracts.inclusion.objects import Objects
from graphbus_core.contracts.inclusion.scalars import Numbers, Strings, check_number_atom, matches
from graphbus_core.contracts.inclusion.shapes import Shapes
from graphbus_core.contracts.validation import formats
from graphbus_core.contracts.verdict import STEPS, Budget, Inconclusive

# Whether one value satisfies a formula: the solver asks it before it branches, and of every value it is given.
#
# It reads formulas, never schemas, so it shares each mistake of `formulas` with the solver. That is why it is not the
# judge: a counterexample is shown only after `values.judge`, which knows no formula, has agreed.


class FormulaChecker:
    """Questions about single values, for one decision: its shapes and its languages."""

    def __init__(self, shapes: Shapes, arena: TermArena) -> None:
        self._shapes, self._arena = shapes, arena
        self._inside: dict[tuple[Language, str], bool] = {}

    def is_satisfied(self, signed: int, value: Any) -> bool:
        """Whether a value satisfies a signed shape."""
        kind = find_kind(value)
        return self.is_true(self._shapes.find_formula(signed, kind), value, kind)

    def is_true(self, f: Formula, value: Any, kind: int) -> bool:
        if f is True or f is False:
            return bool(f)
        op = f[0]
        if op == "and":
            return all(self.is_true(g, value, kind) for g in f[1])
        if op == "or":
            return any(self.is_true(g, value, kind) for g in f[1])
        if op == "ref":
            self._shapes.budget.spend()
            return self.is_true(self._shapes.find_formula(f[1], kind), value, kind)
        if kind == OBJECT:
            return self._check_object_atom(f, value)
        if kind == ARRAY:
            return self._check_array_atom(f, value)
        if kind == NUMBER:
            return check_number_atom(op, f[1], parse_number(value))
        return self._check_text_atom(op, f[1], value)

    def _check_text_atom(self, op: str, arg: Any, value: Any) -> bool:
        if op == "in":
            return bool(value in arg)
        if op == "nin":
            return bool(value not in arg)
        if op == "minlen":
            return bool(len(value) >= arg)
        if op == "maxlen":
            return bool(len(value) <= arg)
        if op == "fmt" or op == "nfmt":
            return formats.fits(arg, value) is (op == "fmt")
        return self._matches(arg, value) is (op == "pat")

    def _matches(self, pattern: str, text: str) -> bool:
        try:
            return self._arena.contains(self._arena.compile_pattern(pattern), text)
        except Inconclusive as e:
            if e.kind != "pattern":
                raise
            return matches(pattern, text)

    def _check_array_atom(self, f: Atom, value: list[Any]) -> bool:
        op = f[0]
        if op == "minlen":
            return bool(len(value) >= f[1])
        if op == "maxlen":
            return bool(len(value) <= f[1])
        if op == "at":
            return f[1] >= len(value) or self.is_satisfied(f[2], value[f[1]])
        if op == "all":
            return all(self.is_satisfied(f[2], v) for v in {id(v): v for v in value[f[1] :]}.values())
        if op == "uniq" or op == "nuniq":
            if len(value) > 1 and value[0] is value[-1]:
                return bool(op == "nuniq")
            return bool((len({make_key(v) for v in value}) == len(value)) is (op == "uniq"))
        times: dict[int, int] = {}  # the arrays made here hold one value many times: it is asked once
        items = value[f[1] :]
        for v in items:
            times[id(v)] = times.get(id(v), 0) + 1
        satisfied_count = sum(times[i] for i, v in {id(v): v for v in items}.items() if self.is_satisfied(f[2], v))
        return bool(satisfied_count >= f[3] if op == "count" else satisfied_count <= f[3])

    def _check_object_atom(self, f: Atom, value: dict[str, Any]) -> bool:
        op = f[0]
        if op == "has":
            return bool(f[1] in value)
        if op == "lacks":
            return bool(f[1] not in value)
        if op == "prop":
            return f[1] not in value or self.is_satisfied(f[2], value[f[1]])
        if op == "minprops":
            return bool(len(value) >= f[1])
        if op == "maxprops":
            return bool(len(value) <= f[1])
        if op == "names":
            return all(self.is_satisfied(f[1], k) for k in value)
        if op == "name":
            return any(self.is_satisfied(f[1], k) for k in value)
        inside = (self.is_satisfied(f[2], v) for k, v in value.items() if self.is_in_language(f[1], k))
        return all(inside) if op == "each" else any(inside)

    def is_in_language(self, language: Language, name: str) -> bool:
        """Whether a property name is one of a language."""
        patterns, but = language
        if name in but:
            return False
        if not patterns:
            return True
        key = (language, name)
        if key not in self._inside:
            self._inside[key] = all(self._matches(p, name) is must_match for p, must_match in patterns)
        return self._inside[key]


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
        self.glance = fast_path.FastPathState(counted, GLANCES)
        self.arena = TermArena(self.budget)
        self._holding = FormulaChecker(shapes, self.arena)
        self._known: dict[Goal, tuple[Any] | Inconclusive | None] = {}
        self._assumed: dict[Goal, int] = {}  # empty, if the goal under way at that depth is
        self._trail: list[Goal] = []  # what stands in _assumed, in order
        self._under_way: dict[Goal, int] = {}
        self._lowest = _NO_LIMIT
        self._fresh: dict[Any, str | None] = {}

    # ---- goals

    def find(self, goal: Goal) -> tuple[Any] | None:
        """A value (in a tuple of one) that satisfies every shape of a goal, or None: there is none. Raises
        Inconclusive.
        """
        # Nothing is asked of it, so any value will do; a tuple, so that a found `None` differs from none found.
        if not goal:
            return (0,)
        known_answer = self._known.get(goal, goal)
        if known_answer is not goal:
            if isinstance(known_answer, Inconclusive):
                raise known_answer
            return known_answer  # type: ignore[return-value]
        depth = self._under_way.get(goal)
        if depth is None:
            depth = self._assumed.get(goal)
        if depth is None:  # a value of a larger goal would be one of the smaller goal that is under way
            depth = next((d for above, d in self._under_way.items() if above <= goal), None)
        if depth is not None:
            self._lowest = min(self._lowest, depth)
            return None
        # After the memory and before the search: most goals of two versions that are nearly alike end here.
        if self._is_plainly_empty(goal):
            self._known[goal] = None
            return None
        return self._find_unknown(goal)

    def _find_unknown(self, goal: Goal) -> tuple[Any] | None:
        depth = len(self._under_way)
        if depth > MAX_DEPTH:
            raise Inconclusive("undecided", f"values nested more than {MAX_DEPTH} deep would have to be made")
        outer, self._lowest = self._lowest, _NO_LIMIT
        mark = len(self._trail)
        self._under_way[goal] = depth
        answer: tuple[Any] | Inconclusive | None
        try:
            answer = self._solve(goal)
        except Inconclusive as e:
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
        if not (isinstance(answer, Inconclusive) and lowest < depth):
            self._known[goal] = answer
        if isinstance(answer, Inconclusive):
            raise answer
        return answer

    def recover(self, steps: int) -> None:
        """Ready for another question after one was given up: what was assumed on the way counts no longer."""
        self._assumed.clear()
        self._trail.clear()
        self._under_way.clear()
        self._lowest = _NO_LIMIT
        self.budget.left = steps

    def find_several(self, goal: Goal, count: int) -> tuple[list[Any], bool]:
        """Up to `count` different values of a goal; fewer only where there are no more (then True)."""
        values: list[Any] = []
        while len(values) < count:
            solution = self.find(goal)
            if solution is None:
                return values, True
            values.append(solution[0])
            goal = goal | {self.shapes.register_constant(solution[0]) ^ 1}
        return values, False

    def _is_plainly_empty(self, goal: Goal) -> bool:
        """What is seen without an answer: opposites, and a fast proof between two shapes."""
        for signed in goal:
            if signed & 1:
                if signed ^ 1 in goal:
                    return True
                negated_schema = self.shapes[signed].text
                if isinstance(negated_schema, dict):
                    for other in goal:
                        if not other & 1 and fast_path.prove_inclusion(
                            self.shapes[other].text, negated_schema, self.glance
                        ):
                            return True
        return self.shapes.bottom in goal

    def _solve(self, goal: Goal) -> tuple[Any] | None:
        self.budget.spend()
        for signed in sorted(goal):
            values = self.shapes.list_values(signed)
            if values is not None:
                return next(((v,) for v in values if all(self.is_satisfied(s, v) for s in goal)), None)
        unsure: Inconclusive | None = None
        for kind in self._list_kinds(goal):
            try:
                solution = self._solve_kind(goal, kind)
            except Inconclusive as e:
                if e.kind == "budget":
                    raise
                unsure = unsure or e
                continue
            if solution is not None:
                return solution
        if unsure is not None:
            raise unsure
        return None

    def _list_kinds(self, goal: Goal) -> Iterable[int]:
        """The types worth a look: a plain `type` of one shape settles it."""
        for signed in goal:
            if not signed & 1:
                text = self.shapes[signed].text
                if isinstance(text, dict) and isinstance(text.get("type"), str) and "$ref" not in text:
                    return _TYPES.get(text["type"], KINDS)
        return KINDS

    # ---- one type

    def _solve_kind(self, goal: Goal, kind: int) -> tuple[Any] | None:
        formulas = [self.shapes.find_formula(s, kind) for s in sorted(goal)]
        if False in formulas:
            return None
        if kind in (NULL, BOOLEAN):
            values: tuple[Any, ...] = (None,) if kind == NULL else (False, True)
            return next(((v,) for v in values if all(self._holding.is_true(f, v, kind) for f in formulas)), None)
        start: Any
        if kind == NUMBER:
            start = Numbers(self.budget)
        elif kind == STRING:
            start = Strings(self.arena)
        else:
            start = Arrays(self) if kind == ARRAY else Objects(self)
        visited: frozenset[int] = frozenset(goal)
        flat = self._flatten(formulas, kind, visited)
        if flat is None:
            return None
        atoms, either, visited = flat
        return self._search(start.extend(atoms), either, kind, visited)

    def _flatten(
        self, formulas: list[Formula], kind: int, visited: frozenset[int]
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
                if f[1] ^ 1 in visited:
                    return None
                if f[1] not in visited:
                    self.budget.spend()
                    visited |= {f[1]}
                    stack.append(self.shapes.find_formula(f[1], kind))
            else:
                atoms.append(f)
        return atoms, either, visited

    def _search(self, state: Any, either: list[Formula], kind: int, visited: frozenset[int]) -> tuple[Any] | None:
        self.budget.spend()
        if state is None:
            return None
        unsure: Inconclusive | None = None
        try:
            solution: tuple[Any] | None = state.solve()
        except Inconclusive as e:
            if e.kind == "budget" or not either:
                raise
            unsure, open_ones = e, either
        else:
            if solution is None:
                return None
            value = solution[0]
            open_ones = [f for f in either if not self._holding.is_true(f, value, kind)]
            if not open_ones:
                return solution
        # The alternative with the fewest ways first, as a solver of constraints would: it fails soonest where it fails.
        pick = min(open_ones, key=lambda f: len(f[1]))
        rest = [f for f in either if f is not pick]
        unsure = None
        for option in pick[1]:
            flat = self._flatten([option], kind, visited)
            if flat is None:
                continue
            atoms, more, now_seen = flat
            try:
                solution = self._search(state.extend(atoms), [*rest, *more], kind, now_seen)
            except Inconclusive as e:
                if e.kind == "budget":
                    raise
                unsure = unsure or e
                continue
            if solution is not None:
                return solution
        if unsure is not None:
            raise unsure
        return None

    def is_satisfied(self, signed: int, value: Any) -> bool:
        """Whether a value satisfies a signed shape."""
        return self._holding.is_satisfied(signed, value)

    # ---- names of properties

    def is_in_language(self, language: Language, name: str) -> bool:
        """Whether a property name is one of a language."""
        return self._holding.is_in_language(language, name)

    def find_name(self, language: list[tuple[Language, bool]], names: Goal, but: frozenset[str]) -> str | None:
        """A name in (or, where False, not in) each language, that satisfies `names` and is none of `but`."""
        key = (tuple(language), names, but)
        if key not in self._fresh:
            plain = self._search_name(language, names, but | {""})  # the empty name is legal, and reads badly
            self._fresh[key] = plain if plain is not None or "" in but else self._search_name(language, names, but)
        return self._fresh[key]

    def _search_name(self, language: list[tuple[Language, bool]], names: Goal, but: frozenset[str]) -> str | None:
        atoms: list[Atom] = [("nin", but)] if but else []
        either: list[Formula] = []
        for (patterns, _), is_wanted in language:  # the names that a language excludes are all mentioned, so in `but`
            pattern_atoms = [("pat" if inside else "npat", p) for p, inside in patterns]
            if is_wanted:
                atoms.extend(pattern_atoms)
            elif pattern_atoms:
                either.append(("or", [("npat" if op == "pat" else "pat", p) for op, p in pattern_atoms]))
            else:
                return None
        flat = self._flatten([self.shapes.find_formula(s, STRING) for s in sorted(names)], STRING, names)
        if flat is None:
            return None
        more, others, visited = flat
        state = Strings(self.arena).extend([*atoms, *more])
        solution = self._search(state, [*either, *others], STRING, visited)
        return None if solution is None else str(solution[0])


# One decision from end to end: does A lie within B? With values that prove a "no", nearest first.


# Theory of operation
# -------------------
#
# A link fits if every payload that the producer may send is one that the consumer accepts. That is set inclusion,
# A ⊆ B, and it is asked as a search for the opposite: is there a value that A accepts and B rejects?
#
#     A ⊆ B   ⟺   A ∧ ¬B is empty
#
# So one procedure gives both answers. Where it finds a value, that value is the counterexample, and an independent
# judge validates it before anybody sees it. Where it proves that there is none, inclusion holds. Where the budget runs
# out, or a schema says what nobody can decide (a pattern with a back reference), it gives up, and the verdict is None:
# never a guess, and negotiation treats it as no.
#
#     JSON Schema ──(formulas/schemas)──> one formula for each of six types ──(solver)──> a value, or "empty"
#                                                 │
#                     null · boolean · number · string · array · object     (kinds/: what is known of each)
#                                                 │
#                              regular expressions as languages             (patterns/: derivatives, shortest word)
#
# Why six types. A JSON value is of exactly one of six types, and every keyword speaks of one: `minimum` of numbers,
# `pattern` of strings. So a schema falls into six formulas that do not know each other, and "is it empty" is asked six
# times, each time of something small. `integer` is a number that is a multiple of one; nothing more.
#
# Formulas. A shape is a number; its negation is the same number with its last bit turned, so that ¬¬A is A without a
# table. A goal is a set of shapes that one value must satisfy: A ∧ ¬B is the goal {A, ¬B}. Equal goals are equal sets,
# so what was answered once is remembered.
#
# How a goal is answered, for one type. The formulas are flattened into atoms (`minimum 3`, `has the property x`) and
# alternatives. The atoms go to what is known of the type, which proposes a value. The alternatives are tried only where
# that value does not satisfy them already; most of the time it does, and nothing branches. Where it branches, each
# branch is a smaller goal.
#
# Objects and arrays hold values, so a goal for an object asks goals for its properties. An object that A accepts and B
# rejects differs somewhere: a property is missing that B requires, there is one that B does not allow, or the value of
# one is accepted by A's property and rejected by B's. Each is a goal of its own, and the value found for it is put into
# an object that is otherwise as small as A allows.
#
# Recursion. A tree's schema asks for itself. A goal that is met again while it is being answered counts as empty. That
# is sound because a smallest value of a goal holds no smaller value of the same goal; and it is how a recursive
# inclusion is proved: by coinduction. What was found empty only under such an assumption is kept once the goal that was
# assumed empty has turned out empty itself, and forgotten otherwise (`_assumed`, `_trail` in the solver).
#
# Strings are languages. `pattern`, `minLength`, `maxLength`, `enum` and `not` of them become one term over characters;
# intersection and complement are built in, and a word is found by Brzozowski's derivatives, the shortest first. A
# pattern is read by ECMA-262, is not anchored, and may speak of any code point.
#
# A short cut comes before all of this, and a last resort after it (contracts/check.py, `decided`). `quick` compares
# two schemas word by word and settles most pairs in microseconds; it may say "yes" only where the words prove it.
# Whatever is left goes here. Where this gives up, `sampling` makes values of A and shows them to B; it may say "no"
# only with one that the judge confirms. So the slow road is walked by few, and decides alone what only it can decide.
#
# Why a judge, when this is a proof. A proof by a program with a mistake in it proves nothing. The judge is written
# against the standard, knows no formula, and looks at one value. So a wrong "no" cannot leave the house: its value is
# refused, and others are tried. A wrong "yes" has no value to look at. Against it stand tests only: pairs by chance,
# whose payloads must not contradict the verdict, and the recorded verdicts of another project.
#
# Why steps, and not seconds. A verdict goes into a log, and a replay must give it again on a slower machine. So the
# budget counts what is done (a term made, a goal asked), never how long it took. When it is spent, Inconclusive of the
# kind "budget" leaves every loop at once; any other kind ends one branch only, because a sister branch may still hold a
# value. An answer needs one value; the proof that there is none needs every branch, so one that was given up spoils it.
#
# Adding a keyword: what it says of one type goes into kinds/, how it reads into inclusion/formulas.py; the differential
# tests against random pairs and the public vectors say whether it is right.


@dataclass(frozen=True, slots=True)
class Decision:
    """`within` True or False is proven; None: it was given up, for `reason`. `solver` can be asked for more values."""

    within: bool | None
    value: Any = None
    reason: Inconclusive | None = None
    solver: Solver | None = None
    goal: frozenset[int] = frozenset()

    def find_values(self, count: int) -> Iterator[Any]:
        """Values that prove the "no", the first one included, as long as the budget lasts."""
        assert self.solver is not None
        yield self.value
        goal, value = self.goal, self.value
        try:
            for _ in range(count - 1):
                goal = goal | {self.solver.shapes.register_constant(value) ^ 1}
                solution = self.solver.find(goal)
                if solution is None:
                    return
                value = solution[0]
                yield value
        except (Inconclusive, RecursionError):
            return


def decide(
    a: Any, draft_a: int, b: Any, draft_b: int, *, formats: frozenset[str] = frozenset(), steps: int = STEPS
) -> Decision:
    """Whether every value that `a` accepts is accepted by `b`."""
    budget = Budget(steps)
    try:
        shapes = Shapes(budget, formats)
        solver = Solver(shapes, formats)
        goal = frozenset([shapes.register_document(a, draft_a), shapes.register_document(b, draft_b) ^ 1])
        solution = solver.find(goal)
    except Inconclusive as e:
        return Decision(None, reason=e)
    except RecursionError:
        return Decision(None, reason=Inconclusive("depth", "the schemas are nested too deeply to be decided"))
    if solution is None:
        return Decision(True)
    return Decision(False, solution[0], None, solver, goal)
