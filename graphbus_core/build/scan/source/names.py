"""What a name in a source file stands for, followed through imports, aliases, re-exports and classes. Nothing runs."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from inspect import cleandoc
from typing import Any, TypeAlias

from graphbus_core.build.scan.source.modules import Module, ModuleTable
from graphbus_core.build.scan.source.namespaces import Binding, Imported, Namespace
from graphbus_core.syntax import dotted

# Circles of aliases are legal Python. What needs more steps is not told.
MAX_STEPS = 60  # aliases of aliases, re-exports of re-exports
PUBLIC = frozenset(  # of graphbus_core
    {"GraphBusNode", "contract", "schema_method", "subscribe", "publishes", "depends_on"}
)

_TEXT_METHODS = ("strip", "lstrip", "rstrip", "lower", "upper", "removeprefix", "removesuffix", "replace")

Resolve: TypeAlias = "Callable[[str], tuple[ast.AST, Resolve] | None]"


class NameKind(Enum):
    """What a name was found to be."""

    CLASS = "class"
    FUNCTION = "function"
    VALUE = "value"
    MODULE = "module"
    EXTERNAL = "external"  # something installed, known by its dotted name alone


@dataclass(frozen=True)
class Found:
    """Where a name leads. `name`: the dotted name of a module or of something external, else the qualified name in
    `module`. `owner`: the class whose body holds it."""

    kind: NameKind
    name: str
    module: Module | None = None
    node: ast.AST | None = None
    owner: ast.ClassDef | None = None

    @property
    # The same for two ways to one thing, so that an alias and its class are one agent.
    def key(self) -> str:
        """The same for two ways to the same thing."""
        return f"{self.module.name}:{self.name}" if self.module and self.kind is not NameKind.MODULE else self.name

    @property
    def graphbus(self) -> str | None:
        """`schema_method` for whatever leads to graphbus_core's own; None for anything else."""
        top, _, rest = self.name.partition(".")
        return rest.rpartition(".")[2] if self.kind is NameKind.EXTERNAL and top == "graphbus_core" else None


class _Unknown:
    """The value of an expression that only running it would tell."""

    # False, so that a plain `or` passes it over; it is compared by identity everywhere else.
    def __bool__(self) -> bool:
        return False


UNKNOWN = _Unknown()


class Names:
    """Looks names up. One for each scan; it remembers the bodies of classes."""

    def __init__(self, table: ModuleTable) -> None:
        self.table = table
        # With the class itself: one that is made for a module's functions may be gone, and its id another's.
        self._bodies: dict[int, tuple[ast.ClassDef, Namespace]] = {}

    def body(self, at: ast.ClassDef, module: Module) -> Namespace:
        """The names that a class body binds."""
        known = self._bodies.get(id(at))
        if known is None:
            known = self._bodies[id(at)] = (at, Namespace(at.body, module.package))
        return known[1]

    def find(self, module: Module, dotted: str, owner: ast.ClassDef | None = None, steps: int = 0) -> Found | None:
        """What `dotted` stands for in `module`, or in the body of the class `owner` there."""
        if steps > MAX_STEPS or not dotted:
            return None
        head, *rest = dotted.split(".")
        found: Found | None = None
        if owner is not None and (binding := self.body(owner, module).get(head)):
            found = self._bound(module, binding, head, owner, steps + 1)
        if found is None:
            found = self._in_module(module, head, steps + 1)
        for attribute in rest:
            if found is None:
                return None
            found = self.attribute(found, attribute, steps + 1)
        return found

    def attribute(self, found: Found, name: str, steps: int = 0) -> Found | None:
        """`found.name`, where that can be told."""
        if steps > MAX_STEPS:
            return None
        match found.kind:
            case NameKind.EXTERNAL:
                return Found(NameKind.EXTERNAL, f"{found.name}.{name}")
            case NameKind.MODULE:
                if found.module and (inner := self._in_module(found.module, name, steps + 1)):
                    return inner
                return self._module(f"{found.name}.{name}", found.module, only_own=True)
            case NameKind.CLASS:
                assert found.module is not None
                assert isinstance(found.node, ast.ClassDef)
                # The class before its bases, and the first base before the others: Python's own order but for
                # diamonds, where any
                # answer would be a guess.
                if binding := self.body(found.node, found.module).get(name):
                    return self._bound(found.module, binding, f"{found.name}.{name}", found.node, steps + 1)
                for base in self.bases(found, steps + 1):
                    if (
                        base
                        and (inner := self.attribute(base, name, steps + 1))
                        and inner.kind is not NameKind.EXTERNAL
                    ):
                        return inner
        return None

    def bases(self, found: Found, steps: int = 0) -> list[Found | None]:
        """The base classes of a class; None for one that source does not tell."""
        assert found.module is not None
        assert isinstance(found.node, ast.ClassDef)
        listed: list[Found | None] = []
        for base in found.node.bases:
            while isinstance(base, ast.Subscript):  # Base[T]
                base = base.value
            target = self.find(found.module, dotted(base), found.owner, steps + 1)
            if target is not None and target.kind is NameKind.EXTERNAL and not target.graphbus:
                # An installed base may come from GraphBusNode, and only its file says so.
                target = self._outside(target, steps + 1)
            if target is not None and target.kind not in (NameKind.CLASS, NameKind.EXTERNAL):
                target = None
            listed.append(target)
        return listed

    def resolver(self, module: Module, owner: ast.ClassDef | None = None) -> Resolve:
        """The look-up that `contracts.static.read` wants, as seen from a module or a class body."""

        bound = module.namespace.names
        inside = self.body(owner, module).names if owner is not None else bound
        stars = bool(module.namespace.stars)

        def resolve(name: str) -> tuple[ast.AST, Resolve] | None:
            # Asked thousands of times for words that nobody binds; the quick no is most of a scan's time saved.
            if name not in bound and name not in inside and not stars and "." not in name:
                return None  # `str`, `list`: most names in a contract are nobody's
            found = self.find(module, name, owner)
            if found is None or found.kind in (NameKind.MODULE, NameKind.FUNCTION):
                return None
            if found.kind is NameKind.EXTERNAL:
                if found.name.rpartition(".")[2] == name.rpartition(".")[2]:
                    return None
                return _expression(found.name), _nothing
            assert found.module is not None
            assert found.node is not None
            inner = found.node if isinstance(found.node, ast.ClassDef) else found.owner
            return found.node, self.resolver(found.module, inner)

        def imported(name: str) -> str | None:
            found = self.find(module, name, owner)
            return found.name if found is not None and found.kind is NameKind.EXTERNAL else None

        resolve.imported = imported  # type: ignore[attr-defined]  # a class of a library is a type of that name
        return resolve

    def anywhere(self, resolve: Resolve) -> Resolve:
        """A look-up that also takes `package.module.Name` in full, for whoever writes outside of the code."""

        def look(name: str) -> Any:
            found = resolve(name)
            module, dot, last = name.rpartition(".")
            if found is None and dot and (there := self.table.get(module)) is not None:
                return self.resolver(there)(last)
            return found

        look.imported = getattr(resolve, "imported", None)  # type: ignore[attr-defined]
        return look

    def constant(self, module: Module, at: ast.AST | None, owner: ast.ClassDef | None = None, steps: int = 0) -> Any:
        """The value of an expression made of constants; UNKNOWN where only running it would tell."""
        if steps > MAX_STEPS:
            return UNKNOWN

        def inner(node: ast.AST | None) -> Any:
            return self.constant(module, node, owner, steps + 1)

        match at:
            case ast.Constant(value=value):
                return UNKNOWN if value is ... else value
            case ast.List() | ast.Tuple() | ast.Set():
                values = [inner(e) for e in at.elts]
                return UNKNOWN if UNKNOWN in values else values
            case ast.Dict():
                return _dict(at, inner)
            case ast.JoinedStr():
                return self._joined(at, inner)
            case ast.BinOp(op=ast.Add()):
                return _sum(inner(at.left), inner(at.right))
            case ast.Name() | ast.Attribute():
                name = dotted(at)
                # `Topic.NAME.value` of an enum is what NAME is bound to.
                found = self.find(module, name, owner) or self.find(module, name.removesuffix(".value"), owner)
                if found and found.kind is NameKind.VALUE and found.module and found.node is not at:
                    return self.constant(found.module, found.node, found.owner, steps + 1)
            case ast.Call():
                return self._call(at, inner)
        return UNKNOWN

    def _joined(self, at: ast.JoinedStr, inner: Callable[[ast.AST | None], Any]) -> Any:
        parts = []
        for part in at.values:
            if isinstance(part, ast.FormattedValue):
                # A format changes the text in ways that only formatting tells.
                if part.format_spec is not None or part.conversion != -1:
                    return UNKNOWN
                part = part.value
            parts.append(inner(part))
        return "".join(map(str, parts)) if all(isinstance(p, str | int) for p in parts) else UNKNOWN

    def _call(self, at: ast.Call, inner: Callable[[ast.AST | None], Any]) -> Any:
        word = at.func.attr if isinstance(at.func, ast.Attribute) else dotted(at.func)
        if isinstance(at.func, ast.Attribute) and isinstance(text := inner(at.func.value), str):
            return UNKNOWN if at.keywords and word != "join" else _of_text(text, word, [inner(a) for a in at.args])
        if len(at.args) == 1 and not at.keywords:
            return _of_one(word, inner(at.args[0]))
        return UNKNOWN

    def _in_module(self, module: Module, name: str, steps: int) -> Found | None:
        if binding := module.namespace.get(name):
            return self._bound(module, binding, name, None, steps + 1)
        if name in module.namespace.names:
            # Bound twice, or under a condition: which one holds depends on the run.
            return None  # bound, but not with certainty
        # The last star wins, as later imports do.
        for star in reversed(module.namespace.stars):
            base = self._module(star, module)
            if base is None or name.startswith("_"):
                continue
            if base.kind is NameKind.MODULE and (found := self.attribute(base, name, steps + 1)):
                return found
            if base.name.partition(".")[0] == "graphbus_core" and name in PUBLIC:
                return Found(NameKind.EXTERNAL, f"graphbus_core.{name}")
        return None

    def _bound(
        self, module: Module, binding: Binding, name: str, owner: ast.ClassDef | None, steps: int
    ) -> Found | None:
        to = binding.to
        if steps > MAX_STEPS:
            return None
        if isinstance(to, Imported):
            base = self._module(to.module, module)
            if base is None or to.attribute is None:
                return base
            return self.attribute(base, to.attribute, steps + 1)
        if isinstance(to, ast.ClassDef):
            return Found(NameKind.CLASS, name, module, to, owner)
        if isinstance(to, ast.FunctionDef | ast.AsyncFunctionDef):
            return Found(NameKind.FUNCTION, name, module, to, owner)
        alias = dotted(to)
        if alias and alias != name and (followed := self.find(module, alias, owner, steps + 1)) is not None:
            return followed
        return Found(NameKind.VALUE, name, module, to, owner)

    def _module(self, name: str, seen_from: Module | None, only_own: bool = False) -> Found | None:
        if module := self.table.get(name):
            return Found(NameKind.MODULE, name, module)
        if self.table.folder_of(name) is not None:
            return Found(NameKind.MODULE, name)
        if seen_from is not None and not seen_from.own and (module := self.table.outside(name)):
            return Found(NameKind.MODULE, name, module)
        # Not ours, so it is known by its name alone. That is enough to compare it with itself.
        return None if only_own else Found(NameKind.EXTERNAL, name)

    def _outside(self, found: Found, steps: int) -> Found:
        """Follow an installed base class into its file: it may inherit from GraphBusNode."""
        module_name, _, attribute = found.name.rpartition(".")
        module = self.table.outside(module_name) if module_name else None
        if module is None or not module.mentions(attribute):
            return found
        return self._in_module(module, attribute, steps) or found


def _expression(name: str) -> ast.expr:
    return ast.parse(name, mode="eval").body


def _nothing(name: str) -> None:
    return None


def _dict(at: ast.Dict, inner: Callable[[ast.AST | None], Any]) -> Any:
    """A dict without `**`, whose keys and values are all known."""
    keys, values = [inner(k) for k in at.keys], [inner(v) for v in at.values]
    plain = None not in at.keys and UNKNOWN not in keys and UNKNOWN not in values
    # A spread or an unknown key leaves the whole open: half of a dict would be read as all of it.
    return dict(zip(keys, values, strict=True)) if plain else UNKNOWN


def _sum(left: Any, right: Any) -> Any:
    texts = isinstance(left, str) and isinstance(right, str)
    return left + right if texts or (isinstance(left, list) and isinstance(right, list)) else UNKNOWN


def _of_text(text: str, method: str, arguments: list[Any]) -> Any:
    """A method of a text: those that cannot fail, take no time and depend on nothing else."""
    if method in _TEXT_METHODS and all(isinstance(a, str) for a in arguments):
        return getattr(text, method)(*arguments)
    if method == "join" and len(arguments) == 1 and isinstance(arguments[0], list):
        return text.join(arguments[0]) if all(isinstance(a, str) for a in arguments[0]) else UNKNOWN
    return UNKNOWN


def _of_one(word: str, value: Any) -> Any:
    """A call with one argument that gives it back, or a plain text of it."""
    if word in ("dedent", "cleandoc") and isinstance(value, str):
        from textwrap import dedent

        return dedent(value) if word == "dedent" else cleandoc(value)
    if (word in ("Topic", "str") and isinstance(value, str)) or (word in ("list", "tuple") and isinstance(value, list)):
        return value
    return UNKNOWN
