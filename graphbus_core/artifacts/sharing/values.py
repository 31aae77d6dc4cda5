"""What an expression may stand for, as far as effects go: which object, and whether that one outlives the event.

An object is known by the place that makes it (`Site`). What is made while a node is set up, modules are imported or a
cached function runs is `lasting`; what is made while an event is handled is not. A value is the set of all that an
expression may stand for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"
MAX_REACH = 2_000  # objects in objects


class TooLarge(Exception):
    """Following it takes too long: it is not shown."""


@dataclass(frozen=True)
class Immutable:
    """A number, a text, None, a date: nothing can change it. `kind` is what is known of it."""

    kind: str


IMMUTABLE = Immutable("any")
TEXT = Immutable("text")  # or bytes, or None: whatever equals it is of its kind
WHOLE = Immutable("whole")  # an int, and no bool
FLAG = Immutable("flag")  # True or False
FLOAT = Immutable("float")  # 0.0 and -0.0 are equal
DATE = Immutable("date")  # a day, and no moment: what equals it is the same day
PATTERN = Immutable("pattern")
MATCH = Immutable("match")  # or None
SPAN = Immutable("span")  # a timedelta
MOMENT = Immutable("moment")  # a datetime: what equals it may be of another zone
# Came out of a cache, or is looked up in one: 1, 1.0 and True are equal, and which of them it is tells who asked first.
KEY = Immutable("key")
INDEX = Immutable("whole key")  # the same, and it is no float
KEYS = "(keys)"  # the field of a dict that holds its keys


@dataclass(eq=False)
class ModuleScope:
    """A module of the project: its names, once its body ran."""

    name: str
    path: str
    tree: ast.Module
    names: dict[str, Value] = field(default_factory=dict)
    is_package: bool = False

    @property
    def package(self) -> str:
        """What a relative import starts from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


@dataclass(eq=False)
class Scope:
    """The names of one running function. `ever` holds all that a name stood for, which is what closures may see."""

    module: ModuleScope
    parent: Scope | None
    lasting: bool
    ever: dict[str, Value] = field(default_factory=dict)
    global_names: set[str] = field(default_factory=set)
    outer_names: set[str] = field(default_factory=set)


@dataclass(eq=False)
class ClassScope:
    """A class of the project. `outside` names the bases that are not."""

    node: ast.ClassDef
    module: ModuleScope
    lasting: bool
    bases: list[ClassScope] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    names: dict[str, Value] = field(default_factory=dict)
    is_record: bool = False

    def lineage(self) -> list[ClassScope]:
        """Itself and its bases, each once."""
        classes: dict[ClassScope, None] = {self: None}
        for base in self.bases:
            for ancestor in base.lineage():
                classes.pop(ancestor, None)
                classes[ancestor] = None
        return list(classes)

    def list_asked(self, name: str) -> list[ClassScope]:
        """Those of its lineage that are asked for a name: up to the first that binds it in any case."""
        asked: list[ClassScope] = []
        for ancestor in self.lineage():
            asked.append(ancestor)
            if name in ancestor.sure_names:
                break
        return asked

    @cached_property
    def sure_names(self) -> frozenset[str]:
        """What its body binds under no condition."""
        statements = self.node.body
        targets = [t for s in statements if isinstance(s, ast.Assign) for t in s.targets]
        targets += [s.target for s in statements if isinstance(s, ast.AnnAssign) and s.value is not None]
        defined = [s.name for s in statements if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        bound = {*defined, *(t.id for t in targets if isinstance(t, ast.Name))}
        removed = [t for s in statements if isinstance(s, ast.Delete) for t in s.targets]
        return frozenset(bound) if not removed else frozenset()

    def list_outside(self) -> list[str]:
        """The bases from outside of the project, those of its bases too."""
        return [name for ancestor in self.lineage() for name in ancestor.outside]

    def find(self, name: str) -> Value | None:
        """What a name of the class stands for."""
        return next((c.names[name] for c in self.lineage() if name in c.names), None)


@dataclass(eq=False)
class Site:
    """An object, known by where it is made. `kind`:

    data        what came with an event, or was read from JSON: all that is in it came with it
    container   a list, dict, set, tuple; `default`: a missing key is put in when it is read
    iterator    whoever reads it uses it up
    instance    of a class of the project
    path        a file's path, which may be read
    log         a logger
    partial     a function with arguments, which stand in `fields`
    getter      of an attribute or a method, as `operator.attrgetter` makes them
    object      anything else: changed by any method; `made_by` is what made it

    `views`: what a change of it changes too, as that of a ChainMap does its first dict. `positions`: what stands at
    each place of a tuple. `keyed`: what was put into a dict under a key that the source says, `loose` all else in it.
    `is_filled`: a dict that is not empty after set up. `is_copy`: its attributes are those of another one.
    `is_once`: it is one object, and not one for each time round a loop or each call. `is_viewed`: something else than
    it, made at set up, shows what stands in it.
    """

    kind: str
    lasting: bool
    label: str = ""
    cls: ClassScope | None = None
    items: set[Any] = field(default_factory=set)
    fields: dict[str, set[Any]] = field(default_factory=dict)
    is_default: bool = False
    made_by: str = ""
    views: set[Any] = field(default_factory=set)
    positions: list[set[Any]] | None = None
    keyed: dict[str, set[Any]] = field(default_factory=dict)
    loose: set[Any] = field(default_factory=set)
    is_filled: bool = False  # at set up
    is_copy: bool = False
    is_once: bool = False
    is_viewed: bool = False
    is_mixed: bool = False  # a dict of which not all keys are known
    copied: Site | None = None  # the first in a row of copies of copies


@dataclass(frozen=True)
class FunctionValue:
    """A function of the project; `bound` is what its first parameter is, `cls` the class that it stands in."""

    node: Function
    module: ModuleScope
    scope: Scope | None
    cls: ClassScope | None = None
    bound: Any = None


@dataclass(frozen=True)
class Wrapped:
    """What a decorator of the standard library made: property, static, class, cached."""

    how: str
    function: Any


def unwrap(atom: Any) -> Any:
    """What was decorated, however often."""
    while isinstance(atom, Wrapped):
        atom = atom.function
    return atom


@dataclass(frozen=True)
class Method:
    """A method of an object whose class is not of the project."""

    receiver: Any
    name: str


@dataclass(frozen=True)
class Outside:
    """Something that is not of the project, by its dotted name."""

    name: str


Atom: TypeAlias = "Immutable | Site | FunctionValue | Wrapped | Method | Outside | ClassScope | ModuleScope"
Value: TypeAlias = "frozenset[Atom]"
NOTHING: Value = frozenset()
PLAIN: Value = frozenset((IMMUTABLE,))


def is_plain(value: Value) -> bool:
    """Whether it stands for immutable things alone."""
    return all(isinstance(atom, Immutable) for atom in value)


def join(*values: Iterable[Atom]) -> Value:
    """All that any of these may stand for."""
    return NOTHING.union(*values)


def list_parts(atom: object, *, of_functions: bool) -> list[Iterable[Atom]]:
    """What stands directly in an object; `of_functions`: what a method is bound to stands in it, too."""
    if isinstance(atom, Site):
        return [atom.items, atom.views, *atom.fields.values(), *(atom.positions or ())]
    if isinstance(atom, Method):
        return [(atom.receiver,)]
    return [(atom.bound,)] if of_functions and isinstance(atom, FunctionValue) and atom.bound is not None else []


def reach(value: Iterable[Atom], *, of_functions: bool = True) -> Value:
    """These, and all that stands in them, however deep."""
    seen: set[Atom] = set(value)
    waiting = list(seen)
    while waiting:
        if len(seen) > MAX_REACH:
            raise TooLarge
        for parts in list_parts(waiting.pop(), of_functions=of_functions):
            fresh = frozenset(parts) - seen
            seen |= fresh
            waiting += fresh
    return frozenset(seen)


def is_lasting(atom: Atom) -> bool:
    """Whether a change of it outlives the event."""
    match atom:
        case Site() | ClassScope():
            return atom.lasting
        case FunctionValue():
            return atom.scope is None or atom.scope.lasting
        case Immutable():
            return False
    return True


def is_function(atom: Atom) -> bool:
    """Whether it is code of the project that somebody may call."""
    return isinstance(atom, FunctionValue | Wrapped | ClassScope) or (
        isinstance(atom, Site)
        and (atom.kind in ("partial", "getter") or (atom.cls is not None and "__call__" in _list_names(atom.cls)))
    )


def _list_names(cls: ClassScope) -> set[str]:
    return {name for ancestor in cls.lineage() for name in ancestor.names}
