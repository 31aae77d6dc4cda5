"""What a name in a source file stands for, followed through imports, aliases, re-exports and classes. Nothing runs."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from inspect import cleandoc
from typing import Any, TypeAlias

from graphbus_core.analysis.scan.modules import Module, ModuleTable
from graphbus_core.analysis.scan.namespaces import Binding, ImportedName, Namespace
from graphbus_core.syntax import dotted_name

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
class Resolution:
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


class NameResolver:
    """Looks names up. One for each scan; it remembers the bodies of classes."""

    def __init__(self, table: ModuleTable) -> None:
        self.table = table
        # With the class itself: one that is made for a module's functions may be gone, and its id another's.
        self._bodies: dict[int, tuple[ast.ClassDef, Namespace]] = {}

    def read_body(self, class_node: ast.ClassDef, module: Module) -> Namespace:
        """The names that a class body binds."""
        cached = self._bodies.get(id(class_node))
        if cached is None:
            cached = self._bodies[id(class_node)] = (class_node, Namespace(class_node.body, module.package))
        return cached[1]

    def find(self, module: Module, dotted: str, owner: ast.ClassDef | None = None, steps: int = 0) -> Resolution | None:
        """What `dotted` stands for in `module`, or in the body of the class `owner` there."""
        if steps > MAX_STEPS or not dotted:
            return None
        head, *rest = dotted.split(".")
        resolution: Resolution | None = None
        if owner is not None and (binding := self.read_body(owner, module).get(head)):
            resolution = self._resolve_binding(module, binding, head, owner, steps + 1)
        if resolution is None:
            resolution = self._find_in_module(module, head, steps + 1)
        for attribute in rest:
            if resolution is None:
                return None
            resolution = self.find_attribute(resolution, attribute, steps + 1)
        return resolution

    def find_attribute(self, resolution: Resolution, name: str, steps: int = 0) -> Resolution | None:
        """`found.name`, where that can be told."""
        if steps > MAX_STEPS:
            return None
        match resolution.kind:
            case NameKind.EXTERNAL:
                return Resolution(NameKind.EXTERNAL, f"{resolution.name}.{name}")
            case NameKind.MODULE:
                if resolution.module and (inner := self._find_in_module(resolution.module, name, steps + 1)):
                    return inner
                return self._find_module(f"{resolution.name}.{name}", resolution.module, only_own=True)
            case NameKind.CLASS:
                assert resolution.module is not None
                assert isinstance(resolution.node, ast.ClassDef)
                # The class before its bases, and the first base before the others: Python's own order but for
                # diamonds, where any answer would be a guess.
                if binding := self.read_body(resolution.node, resolution.module).get(name):
                    return self._resolve_binding(
                        resolution.module, binding, f"{resolution.name}.{name}", resolution.node, steps + 1
                    )
                for base in self.find_bases(resolution, steps + 1):
                    if (
                        base
                        and (inner := self.find_attribute(base, name, steps + 1))
                        and inner.kind is not NameKind.EXTERNAL
                    ):
                        return inner
        return None

    def find_bases(self, resolution: Resolution, steps: int = 0) -> list[Resolution | None]:
        """The base classes of a class; None for one that source does not tell."""
        assert resolution.module is not None
        assert isinstance(resolution.node, ast.ClassDef)
        listed: list[Resolution | None] = []
        for base in resolution.node.bases:
            while isinstance(base, ast.Subscript):  # Base[T]
                base = base.value
            target = self.find(resolution.module, dotted_name(base), resolution.owner, steps + 1)
            if target is not None and target.kind is NameKind.EXTERNAL and not target.graphbus:
                # An installed base may come from GraphBusNode, and only its file says so.
                target = self._follow_installed(target, steps + 1)
            if target is not None and target.kind not in (NameKind.CLASS, NameKind.EXTERNAL):
                target = None
            listed.append(target)
        return listed

    def build_resolver(self, module: Module, owner: ast.ClassDef | None = None) -> Resolve:
        """The look-up that `contracts.static.read` wants, as seen from a module or a class body."""

        bound = module.namespace.names
        inside = self.read_body(owner, module).names if owner is not None else bound
        stars = bool(module.namespace.stars)

        def resolve(name: str) -> tuple[ast.AST, Resolve] | None:
            # Asked thousands of times for words that nobody binds; the quick no is most of a scan's time saved.
            if name not in bound and name not in inside and not stars and "." not in name:
                return None  # `str`, `list`: most names in a contract are nobody's
            resolution = self.find(module, name, owner)
            if resolution is None or resolution.kind in (NameKind.MODULE, NameKind.FUNCTION):
                return None
            if resolution.kind is NameKind.EXTERNAL:
                if resolution.name.rpartition(".")[2] == name.rpartition(".")[2]:
                    return None
                return _parse_expression(resolution.name), _resolve_nothing
            assert resolution.module is not None
            assert resolution.node is not None
            inner = resolution.node if isinstance(resolution.node, ast.ClassDef) else resolution.owner
            return resolution.node, self.build_resolver(resolution.module, inner)

        def find_external_name(name: str) -> str | None:
            resolution = self.find(module, name, owner)
            return resolution.name if resolution is not None and resolution.kind is NameKind.EXTERNAL else None

        resolve.imported = find_external_name  # type: ignore[attr-defined]  # a class of a library is a type of that name
        return resolve

    def build_full_resolver(self, resolve: Resolve) -> Resolve:
        """A look-up that also takes `package.module.Name` in full, for whoever writes outside of the code."""

        def look(name: str) -> Any:
            resolved = resolve(name)
            module, dot, last = name.rpartition(".")
            if resolved is None and dot and (own_module := self.table.get(module)) is not None:
                return self.build_resolver(own_module)(last)
            return resolved

        look.imported = getattr(resolve, "imported", None)  # type: ignore[attr-defined]
        return look

    def evaluate(
        self, module: Module, expression: ast.AST | None, owner: ast.ClassDef | None = None, steps: int = 0
    ) -> Any:
        """The value of an expression made of constants; UNKNOWN where only running it would tell."""
        if steps > MAX_STEPS:
            return UNKNOWN

        def evaluate_part(node: ast.AST | None) -> Any:
            return self.evaluate(module, node, owner, steps + 1)

        match expression:
            case ast.Constant(value=value):
                return UNKNOWN if value is ... else value
            case ast.List() | ast.Tuple() | ast.Set():
                values = [evaluate_part(e) for e in expression.elts]
                return UNKNOWN if UNKNOWN in values else values
            case ast.Dict():
                return _evaluate_dict(expression, evaluate_part)
            case ast.JoinedStr():
                return self._evaluate_joined(expression, evaluate_part)
            case ast.BinOp(op=ast.Add()):
                return _evaluate_sum(evaluate_part(expression.left), evaluate_part(expression.right))
            case ast.Name() | ast.Attribute():
                name = dotted_name(expression)
                # `Topic.NAME.value` of an enum is what NAME is bound to.
                resolution = self.find(module, name, owner) or self.find(module, name.removesuffix(".value"), owner)
                if (
                    resolution
                    and resolution.kind is NameKind.VALUE
                    and resolution.module
                    and resolution.node is not expression
                ):
                    return self.evaluate(resolution.module, resolution.node, resolution.owner, steps + 1)
            case ast.Call():
                return self._evaluate_call(expression, evaluate_part)
        return UNKNOWN

    def _evaluate_joined(self, expression: ast.JoinedStr, inner: Callable[[ast.AST | None], Any]) -> Any:
        parts = []
        for part in expression.values:
            if isinstance(part, ast.FormattedValue):
                # A format changes the text in ways that only formatting tells.
                if part.format_spec is not None or part.conversion != -1:
                    return UNKNOWN
                part = part.value
            parts.append(inner(part))
        return "".join(map(str, parts)) if all(isinstance(p, str | int) for p in parts) else UNKNOWN

    def _evaluate_call(self, call: ast.Call, inner: Callable[[ast.AST | None], Any]) -> Any:
        word = call.func.attr if isinstance(call.func, ast.Attribute) else dotted_name(call.func)
        if isinstance(call.func, ast.Attribute) and isinstance(text := inner(call.func.value), str):
            return (
                UNKNOWN
                if call.keywords and word != "join"
                else _evaluate_text_method(text, word, [inner(a) for a in call.args])
            )
        if len(call.args) == 1 and not call.keywords:
            return _evaluate_conversion(word, inner(call.args[0]))
        return UNKNOWN

    def _find_in_module(self, module: Module, name: str, steps: int) -> Resolution | None:
        if binding := module.namespace.get(name):
            return self._resolve_binding(module, binding, name, None, steps + 1)
        if name in module.namespace.names:
            # Bound twice, or under a condition: which one holds depends on the run.
            return None  # bound, but not with certainty
        # The last star wins, as later imports do.
        for star in reversed(module.namespace.stars):
            base = self._find_module(star, module)
            if base is None or name.startswith("_"):
                continue
            if base.kind is NameKind.MODULE and (resolution := self.find_attribute(base, name, steps + 1)):
                return resolution
            if base.name.partition(".")[0] == "graphbus_core" and name in PUBLIC:
                return Resolution(NameKind.EXTERNAL, f"graphbus_core.{name}")
        return None

    def _resolve_binding(
        self, module: Module, binding: Binding, name: str, owner: ast.ClassDef | None, steps: int
    ) -> Resolution | None:
        to = binding.to
        if steps > MAX_STEPS:
            return None
        if isinstance(to, ImportedName):
            base = self._find_module(to.module, module)
            if base is None or to.attribute is None:
                return base
            return self.find_attribute(base, to.attribute, steps + 1)
        if isinstance(to, ast.ClassDef):
            return Resolution(NameKind.CLASS, name, module, to, owner)
        if isinstance(to, ast.FunctionDef | ast.AsyncFunctionDef):
            return Resolution(NameKind.FUNCTION, name, module, to, owner)
        alias = dotted_name(to)
        if alias and alias != name and (followed := self.find(module, alias, owner, steps + 1)) is not None:
            return followed
        return Resolution(NameKind.VALUE, name, module, to, owner)

    def _find_module(self, name: str, seen_from: Module | None, only_own: bool = False) -> Resolution | None:
        if module := self.table.get(name):
            return Resolution(NameKind.MODULE, name, module)
        if self.table.find_folder(name) is not None:
            return Resolution(NameKind.MODULE, name)
        if seen_from is not None and not seen_from.own and (module := self.table.find_installed(name)):
            return Resolution(NameKind.MODULE, name, module)
        # Not ours, so it is known by its name alone. That is enough to compare it with itself.
        return None if only_own else Resolution(NameKind.EXTERNAL, name)

    def _follow_installed(self, resolution: Resolution, steps: int) -> Resolution:
        """Follow an installed base class into its file: it may inherit from GraphBusNode."""
        module_name, _, attribute = resolution.name.rpartition(".")
        module = self.table.find_installed(module_name) if module_name else None
        if module is None or not module.mentions(attribute):
            return resolution
        return self._find_in_module(module, attribute, steps) or resolution


def _parse_expression(name: str) -> ast.expr:
    return ast.parse(name, mode="eval").body


def _resolve_nothing(name: str) -> None:
    return None


def _evaluate_dict(node: ast.Dict, inner: Callable[[ast.AST | None], Any]) -> Any:
    """A dict without `**`, whose keys and values are all known."""
    keys, values = [inner(k) for k in node.keys], [inner(v) for v in node.values]
    plain = None not in node.keys and UNKNOWN not in keys and UNKNOWN not in values
    # A spread or an unknown key leaves the whole open: half of a dict would be read as all of it.
    return dict(zip(keys, values, strict=True)) if plain else UNKNOWN


def _evaluate_sum(left: Any, right: Any) -> Any:
    texts = isinstance(left, str) and isinstance(right, str)
    return left + right if texts or (isinstance(left, list) and isinstance(right, list)) else UNKNOWN


def _evaluate_text_method(text: str, method: str, arguments: list[Any]) -> Any:
    """A method of a text: those that cannot fail, take no time and depend on nothing else."""
    if method in _TEXT_METHODS and all(isinstance(a, str) for a in arguments):
        return getattr(text, method)(*arguments)
    if method == "join" and len(arguments) == 1 and isinstance(arguments[0], list):
        return text.join(arguments[0]) if all(isinstance(a, str) for a in arguments[0]) else UNKNOWN
    return UNKNOWN


def _evaluate_conversion(word: str, value: Any) -> Any:
    """A call with one argument that gives it back, or a plain text of it."""
    if word in ("dedent", "cleandoc") and isinstance(value, str):
        from textwrap import dedent

        return dedent(value) if word == "dedent" else cleandoc(value)
    if (word in ("Topic", "str") and isinstance(value, str)) or (word in ("list", "tuple") and isinstance(value, list)):
        return value
    return UNKNOWN
