"""Attributes of a node that each event sets before it reads them: they keep nothing, though they outlive the event.

`self.errors = []` as a statement of the handler itself (in no branch, no loop, no `try`) sets it on every path that
goes on. From there on, reads see what this event has put there. A read anywhere else, by whomever, may see what an
earlier event left: then the attribute is *kept*, and a change of it is a change like any other. So is all that

- an `async` handler or a generator does, since another event may come between two of its lines;
- a thread or a task does, which runs at any time;
- comes after the node publishes or calls, since that may come back to it as another event.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphbus_core.artifacts.sharing.values import NOTHING, FunctionValue, Site, Value, Wrapped

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Activation, Engine

_BY_HAND = ("__setattr__", "__getattribute__", "__delattr__")


class EventAttributes:
    """Which attributes of the node hold what the event that is handled has set."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.node: Site | None = None
        self.set_now: frozenset[str] = frozenset()  # at this point, by the event that is handled
        self._values: dict[str, set[Any]] = {}
        self._kept: set[str] = set()
        self._read: set[str] = set()
        self._keeps_all = False

    def keep_all(self) -> None:
        """Somebody may read any attribute of the node."""
        self._engine.changes += not self._keeps_all
        self._keeps_all = True

    def keep_all_in(self, value: Value) -> None:
        """The same, if it is among these."""
        if self.node is not None and self.node in value:
            self.keep_all()

    def put(self, owner: Site, name: str, value: Value) -> bool:
        """Whether the attribute belongs to the event, which reads it too: then this is what it set it to."""
        if owner is not self.node or not self._engine.handling or self._keeps_all:
            return False
        if name in self._kept or name == "(any)" or self._is_set_by_hand(name):
            return False
        into = self._values.setdefault(name, set())
        before = len(into)
        into |= value
        self._engine.changes += len(into) != before
        return name in self._read  # what no event reads is set for somebody else

    def get(self, owner: Site, name: str) -> Value | None:
        """What the event set the attribute to; None where it is not known to have."""
        if owner is not self.node or not self._engine.handling or name not in self._values:
            return None
        if name in self.set_now and name not in self._kept and not self._keeps_all:
            self._engine.changes += name not in self._read
            self._read.add(name)
            return frozenset(self._values[name])
        self._engine.changes += name not in self._kept
        self._kept.add(name)
        return None

    def list_names(self, owner: Site) -> list[str]:
        """The attributes that events set."""
        return sorted(self._values) if owner is self.node else []

    def begin(self) -> None:
        """Another event: nothing is set."""
        self.set_now = frozenset()

    def forget(self) -> None:
        """From here on another event may have come between."""
        self.set_now = frozenset()

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """What is called here runs at any time."""
        before, self.set_now = self.set_now, frozenset()
        try:
            yield
        finally:
            self.set_now = before

    def is_handler(self, activation: Activation) -> bool:
        """Whether that is a handler itself, which runs from its first line to its last."""
        function = activation.function
        return (
            self._engine.handling
            and len(self._engine.stack) == 2
            and function.bound is self.node
            and self.node is not None
            and isinstance(function.node, ast.FunctionDef)
            and not self._engine.is_generator(function.node)
        )

    def set_by(self, statement: ast.stmt, activation: Activation, names: dict[str, Value]) -> None:
        """A statement of the handler itself ran."""
        args = activation.function.node.args
        first = next((a.arg for a in (*args.posonlyargs, *args.args)), "")
        if names.get(first, NOTHING) != frozenset((self.node,)):
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == first:
                    self.set_now |= {part.attr}

    def _is_set_by_hand(self, name: str) -> bool:
        """Whether code of its own does it."""
        cls = self.node.cls if self.node is not None else None
        if cls is None or any(cls.find(method) for method in _BY_HAND):
            return True
        return any(
            isinstance(a, Wrapped | FunctionValue) or (isinstance(a, Site) and a.kind == "instance")
            for a in cls.find(name) or ()
        )
