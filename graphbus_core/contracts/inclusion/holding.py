"""Whether one value satisfies a formula: the solver asks it before it branches, and of every value it is given.

It reads formulas, never schemas, so it shares each mistake of `formulas` with the solver. That is why it is not the
judge: a counterexample is shown only after `values.judge`, which knows no formula, has agreed.
"""

from __future__ import annotations

from typing import Any

from graphbus_core.contracts.inclusion.formulas.keywords import Language
from graphbus_core.contracts.inclusion.formulas.logic import (
    ARRAY,
    NUMBER,
    OBJECT,
    Atom,
    Formula,
    key_of,
    kind_of,
    number,
)
from graphbus_core.contracts.inclusion.formulas.schemas import Shapes
from graphbus_core.contracts.inclusion.kinds.numbers import number_holds
from graphbus_core.contracts.inclusion.kinds.strings import matches
from graphbus_core.contracts.inclusion.patterns.language import Arena
from graphbus_core.contracts.values import formats
from graphbus_core.contracts.values.budget import GivesUp


class Holding:
    """Questions about single values, for one decision: its shapes and its languages."""

    def __init__(self, shapes: Shapes, arena: Arena) -> None:
        self._shapes, self._arena = shapes, arena
        self._inside: dict[tuple[Language, str], bool] = {}

    def holds(self, signed: int, value: Any) -> bool:
        """Whether a value satisfies a signed shape."""
        kind = kind_of(value)
        return self.true(self._shapes.formula(signed, kind), value, kind)

    def true(self, f: Formula, value: Any, kind: int) -> bool:
        if f is True or f is False:
            return bool(f)
        op = f[0]
        if op == "and":
            return all(self.true(g, value, kind) for g in f[1])
        if op == "or":
            return any(self.true(g, value, kind) for g in f[1])
        if op == "ref":
            self._shapes.budget.take()
            return self.true(self._shapes.formula(f[1], kind), value, kind)
        if kind == OBJECT:
            return self._object_atom(f, value)
        if kind == ARRAY:
            return self._array_atom(f, value)
        if kind == NUMBER:
            return number_holds(op, f[1], number(value))
        return self._text_atom(op, f[1], value)

    def _text_atom(self, op: str, arg: Any, value: Any) -> bool:
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
            return self._arena.takes(self._arena.pattern(pattern), text)
        except GivesUp as e:
            if e.kind != "pattern":
                raise
            return matches(pattern, text)

    def _array_atom(self, f: Atom, value: list[Any]) -> bool:
        op = f[0]
        if op == "minlen":
            return bool(len(value) >= f[1])
        if op == "maxlen":
            return bool(len(value) <= f[1])
        if op == "at":
            return f[1] >= len(value) or self.holds(f[2], value[f[1]])
        if op == "all":
            return all(self.holds(f[2], v) for v in {id(v): v for v in value[f[1] :]}.values())
        if op == "uniq" or op == "nuniq":
            if len(value) > 1 and value[0] is value[-1]:
                return bool(op == "nuniq")
            return bool((len({key_of(v) for v in value}) == len(value)) is (op == "uniq"))
        times: dict[int, int] = {}  # the arrays made here hold one value many times: it is asked once
        items = value[f[1] :]
        for v in items:
            times[id(v)] = times.get(id(v), 0) + 1
        found = sum(times[i] for i, v in {id(v): v for v in items}.items() if self.holds(f[2], v))
        return bool(found >= f[3] if op == "count" else found <= f[3])

    def _object_atom(self, f: Atom, value: dict[str, Any]) -> bool:
        op = f[0]
        if op == "has":
            return bool(f[1] in value)
        if op == "lacks":
            return bool(f[1] not in value)
        if op == "prop":
            return f[1] not in value or self.holds(f[2], value[f[1]])
        if op == "minprops":
            return bool(len(value) >= f[1])
        if op == "maxprops":
            return bool(len(value) <= f[1])
        if op == "names":
            return all(self.holds(f[1], k) for k in value)
        if op == "name":
            return any(self.holds(f[1], k) for k in value)
        inside = (self.holds(f[2], v) for k, v in value.items() if self.in_language(f[1], k))
        return all(inside) if op == "each" else any(inside)

    def in_language(self, language: Language, name: str) -> bool:
        """Whether a property name is one of a language."""
        patterns, but = language
        if name in but:
            return False
        if not patterns:
            return True
        key = (language, name)
        if key not in self._inside:
            self._inside[key] = all(self._matches(p, name) is wanted for p, wanted in patterns)
        return self._inside[key]
