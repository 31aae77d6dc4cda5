"""One decision from end to end: does A lie within B? With values that prove a "no", nearest first."""

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
# budget counts what is done (a term made, a goal asked), never how long it took. When it is spent, GivesUp of the kind
# "budget" leaves every loop at once; any other kind ends one branch only, because a sister branch may still hold a
# value. An answer needs one value; the proof that there is none needs every branch, so one that was given up spoils it.
#
# Adding a keyword: what it says of one type goes into kinds/, how it reads into formulas/keywords.py; the differential
# tests against random pairs and the public vectors say whether it is right.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.inclusion.formulas.schemas import Shapes
from graphbus_core.contracts.inclusion.solver import Solver
from graphbus_core.contracts.values.budget import STEPS, Budget, GivesUp


@dataclass(frozen=True, slots=True)
class Decision:
    """`within` True or False is proven; None: it was given up, for `reason`. `solver` can be asked for more values."""

    within: bool | None
    value: Any = None
    reason: GivesUp | None = None
    solver: Solver | None = None
    goal: frozenset[int] = frozenset()

    def more(self, count: int) -> Iterator[Any]:
        """Values that prove the "no", the first one included, as long as the budget lasts."""
        assert self.solver is not None
        yield self.value
        goal, found = self.goal, self.value
        try:
            for _ in range(count - 1):
                goal = goal | {self.solver.shapes.const(found) ^ 1}
                one = self.solver.find(goal)
                if one is None:
                    return
                found = one[0]
                yield found
        except (GivesUp, RecursionError):
            return


def decide(
    a: Any, draft_a: int, b: Any, draft_b: int, *, formats: frozenset[str] = frozenset(), steps: int = STEPS
) -> Decision:
    """Whether every value that `a` accepts is accepted by `b`."""
    budget = Budget(steps)
    try:
        shapes = Shapes(budget, formats)
        solver = Solver(shapes, formats)
        goal = frozenset([shapes.document(a, draft_a), shapes.document(b, draft_b) ^ 1])
        found = solver.find(goal)
    except GivesUp as e:
        return Decision(None, reason=e)
    except RecursionError:
        return Decision(None, reason=GivesUp("depth", "the schemas are nested too deeply to be decided"))
    if found is None:
        return Decision(True)
    return Decision(False, found[0], None, solver, goal)
