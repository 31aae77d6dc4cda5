"""Which properties or items a schema has evaluated: what `unevaluatedProperties` and `unevaluatedItems` look at.

What is evaluated depends on the value: a branch of `anyOf` that fails has evaluated nothing. So a schema is told apart
into cases, each with the condition under which it holds, and the keyword becomes an alternative of all of them.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Protocol

from graphbus_core.contracts.inclusion.formulas.documents import Document, Library
from graphbus_core.contracts.inclusion.formulas.keywords import map_in, others, tuple_items
from graphbus_core.contracts.inclusion.formulas.logic import ARRAY, OBJECT, Formula, conj, disj, neg
from graphbus_core.contracts.reading.dialects import DRAFT2020
from graphbus_core.contracts.reading.walk import REFERENCES
from graphbus_core.contracts.values.budget import GivesUp

MAX_CASES = 256  # ways in which in-place applicators may succeed; each `anyOf` branch doubles them
MAX_DEPTH = 20  # references that are looked through


class Evaluated:
    """Which properties or items have been evaluated."""

    __slots__ = ("contained", "every", "names", "patterns", "prefix")

    def __init__(
        self,
        every: bool = False,
        names: frozenset[str] = frozenset(),
        patterns: frozenset[str] = frozenset(),
        prefix: int = 0,
        contained: frozenset[int] = frozenset(),
    ) -> None:
        self.every, self.names, self.patterns, self.prefix, self.contained = every, names, patterns, prefix, contained

    def union(self, other: Evaluated) -> Evaluated:
        """Evaluated by one or the other."""
        return Evaluated(
            self.every or other.every,
            self.names | other.names,
            self.patterns | other.patterns,
            max(self.prefix, other.prefix),
            self.contained | other.contained,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Evaluated) and all(getattr(self, n) == getattr(other, n) for n in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.every, self.names, self.patterns, self.prefix, self.contained))


NOTHING_SEEN = Evaluated()
Case = tuple[Formula, Evaluated]
"""A condition, and what is evaluated where it holds."""


class Places(Protocol):
    """Who gives a schema its number and its formula."""

    top: int
    bottom: int
    library: Library

    def place(self, text: Any, document: Document) -> int: ...

    def any_of(self, signed: list[int]) -> int: ...

    def ref(self, text: Any, document: Document) -> Formula: ...


class Evaluation:
    """`unevaluatedItems` and `unevaluatedProperties` as formulas."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def properties(self, text: dict[str, Any], document: Document) -> Formula:
        """What `unevaluatedProperties` says: in each case, of the names that this case has not evaluated."""
        rule = self._places.place(text["unevaluatedProperties"], document)
        options = []
        for condition, seen in self._cases(text, document, OBJECT, own=False, depth=0):
            free = seen.every or rule == self._places.top
            options.append(conj([condition, True if free else ("each", others(seen.names, seen.patterns), rule)]))
        return disj(options)

    def items(self, text: dict[str, Any], document: Document) -> Formula:
        """What `unevaluatedItems` says: in each case, of the items after those that this case has evaluated."""
        top, bottom = self._places.top, self._places.bottom
        rule = self._places.place(text["unevaluatedItems"], document)
        options = []
        for condition, seen in self._cases(text, document, ARRAY, own=False, depth=0):
            # `contains` evaluates the items that satisfy it, wherever they stand: each item fits it, or the rule.
            allowed = [rule, *sorted(seen.contained)]
            if seen.every or top in allowed:
                options.append(condition)
                continue
            signed = self._places.any_of([s for s in allowed if s != bottom] or [bottom])
            limit = ("maxlen", seen.prefix) if signed == bottom else ("all", seen.prefix, signed)
            options.append(condition if signed == top else conj([condition, limit]))
        return disj(options)

    def _cases(self, text: Any, document: Document, kind: int, *, own: bool, depth: int) -> list[Case]:
        """The ways in which a schema, given that it holds, may have evaluated properties or items.

        Together they cover every value. `own`: its own unevaluated* counts, too; not for the one that is being asked.
        """
        if not isinstance(text, dict):
            return [(True, NOTHING_SEEN)]
        if depth > MAX_DEPTH:
            raise GivesUp("reference", "unevaluated* looks through references that do not end")

        cases: list[Case] = [(True, self._seen(text, document, kind, own=own))]

        def inner(sub: Any, where: Document = document) -> list[Case]:
            return self._cases(sub, where, kind, own=True, depth=depth + 1)

        def maybe(sub: Any, condition: Formula) -> None:
            nonlocal cases
            found = inner(sub)
            # One that evaluates nothing need not be told apart: it would double the cases for no difference.
            if any(e != NOTHING_SEEN for _, e in found):
                failed = [(neg(condition), NOTHING_SEEN)]
                cases = _each_with(cases, [*_where(condition, found), *failed])

        for key in REFERENCES:
            if key in text:
                where, target = self._places.library.follow(document, text, key)
                cases = _each_with(cases, inner(target, where))
        for sub in text.get("allOf", ()):
            cases = _each_with(cases, inner(sub))
        for sub in (*text.get("anyOf", ()), *text.get("oneOf", ())):
            maybe(sub, self._places.ref(sub, document))
        if "if" in text:
            condition = self._places.ref(text["if"], document)
            passed = _where(condition, inner(text["if"]))
            if "then" in text:
                passed = _both(passed, inner(text["then"]))
            failed = inner(text["else"]) if "else" in text else [(True, NOTHING_SEEN)]
            cases = _each_with(cases, [*passed, *_where(neg(condition), failed)])
        if kind == OBJECT:
            for name, sub in map_in(text, "dependentSchemas").items():
                maybe(sub, ("has", name))
        return cases

    def _seen(self, text: dict[str, Any], document: Document, kind: int, *, own: bool) -> Evaluated:
        """What a schema's own keywords evaluate."""
        if kind == OBJECT:
            every = "additionalProperties" in text or (own and "unevaluatedProperties" in text)
            return Evaluated(every, frozenset(map_in(text, "properties")), frozenset(map_in(text, "patternProperties")))
        draft = document.draft
        prefix, _ = tuple_items(text, draft)
        rest = "items" in text and (draft >= DRAFT2020 or not isinstance(text["items"], list))
        rest = rest or (draft < DRAFT2020 and isinstance(text.get("items"), list) and "additionalItems" in text)
        every = rest or (own and "unevaluatedItems" in text)
        contained = frozenset[int]()
        if draft >= DRAFT2020 and "contains" in text:
            contained = frozenset([self._places.place(text["contains"], document)])
        return Evaluated(every, prefix=len(prefix), contained=contained)


def _where(condition: Formula, cases: list[Case]) -> list[Case]:
    return [(conj([condition, c]), e) for c, e in cases]


def _both(cases: list[Case], more: list[Case]) -> list[Case]:
    return [(conj([c, d]), e.union(f)) for (c, e), (d, f) in product(cases, more)]


def _each_with(cases: list[Case], more: list[Case]) -> list[Case]:
    """Every case of one with every case of the other. Raises GivesUp where they become too many to be tried."""
    if len(cases) * len(more) > MAX_CASES:
        raise GivesUp("budget", "unevaluated* has too many cases to tell apart")
    return _both(cases, more)
