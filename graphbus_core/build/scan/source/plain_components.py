"""Plain classes and functions that take part without inheriting: by `@contract`, or by the setting `components`.

The functions of one module that take part are one component, of the module's own name: there is no object between
them that could have another.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import Found, NameKind, Names
from graphbus_core.syntax import dotted

RECORDS = frozenset({"TypedDict", "NamedTuple", "BaseModel", "Protocol", "Enum", "StrEnum", "IntEnum", "Flag"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


class PlainComponents:
    """Says who takes part. `components` are globs on `module:Name`; a dot may stand for the colon."""

    def __init__(self, names: Names, components: Sequence[str] = ()) -> None:
        self.names = names
        self.patterns = tuple(components)

    def takes_part(self, found: Found) -> bool:
        """Whether a plain class does."""
        assert isinstance(found.node, ast.ClassDef)
        if found.module is None or not found.module.own:
            return False
        if self._named(found.module, found.name):
            # A glob means those that do something: a record is what they hand to each other.
            return f"{found.module.name}:{found.name}" in self.patterns or _does_something(found.node)
        return self._decorated(found.module, found.node)

    def functions(self, module: Module) -> Found | None:
        """The functions of a module that do, in the shape of a class with static methods; None where none does."""
        chosen = list(self._functions(module))
        if not chosen:
            return None
        name = module.name.rpartition(".")[2]
        made = ast.ClassDef(name, [], [], [_static(one) for one in chosen], [])
        first, last = chosen[0], chosen[-1]
        made.lineno = min([first.lineno, *(d.lineno for d in first.decorator_list)])
        made.col_offset, made.end_lineno, made.end_col_offset = 0, last.end_lineno, last.end_col_offset
        return Found(NameKind.CLASS, name, module, made)

    def _functions(self, module: Module) -> Iterator[Function]:
        if not self.patterns and not module.mentions("contract"):
            return
        for name, bindings in module.namespace.names.items():
            at = bindings[-1].to
            if isinstance(at, Function) and (self._named(module, name) or self._decorated(module, at)):
                yield at

    def _named(self, module: Module, name: str) -> bool:
        if name.startswith("_") or not self.patterns:
            return False
        ways = (f"{module.name}:{name}", f"{module.name}.{name}")
        return any(fnmatchcase(way, pattern) for pattern in self.patterns for way in ways)

    def _decorated(self, module: Module, at: ast.ClassDef | Function) -> bool:
        if not at.decorator_list or not module.mentions("contract"):
            return False
        written = (d.func if isinstance(d, ast.Call) else d for d in at.decorator_list)
        found = (self.names.find(module, dotted(one)) for one in written)
        return any(one is not None and one.graphbus == "contract" for one in found)


def _does_something(at: ast.ClassDef) -> bool:
    """Whether a class has methods that others call, and is not a model, enumeration, protocol or exception."""
    bases = [dotted(b.value if isinstance(b, ast.Subscript) else b).rpartition(".")[2] for b in at.bases]
    if any(base in RECORDS or base.endswith(("Error", "Exception")) for base in bases):
        return False
    return any(isinstance(line, Function) and not line.name.startswith("_") for line in at.body)


def _static(at: Function) -> Function:
    """A function as a member of a class that is not there: nothing is bound to its first parameter."""
    made = copy.copy(at)
    made.decorator_list = [*at.decorator_list, ast.copy_location(ast.Name("staticmethod", ast.Load()), at)]
    return made
