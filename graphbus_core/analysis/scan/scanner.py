"""`NodeScanner`: which classes of a file are nodes, and what each inherits (seed 002 §4.1, "Discovery").

A class is a node when its bases lead to `GraphBusNode`, through whatever module, alias or base class; or when it is a
plain one that takes part (`plain_components.py`). What no import
of the file would give (a class made inside a function) is not a node; an abstract class is a base, not an agent.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from graphbus_core.analysis.scan.modules import Module
from graphbus_core.analysis.scan.names import NameKind, NameResolver, Resolution
from graphbus_core.syntax import dotted_name

# Plain classes and functions that take part without inheriting: by `@contract`, or by the setting `components`.
#
# The functions of one module that take part are one component, of the module's own name: there is no object between
# them that could have another.


RECORDS = frozenset({"TypedDict", "NamedTuple", "BaseModel", "Protocol", "Enum", "StrEnum", "IntEnum", "Flag"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


class PlainComponents:
    """Says who takes part. `components` are globs on `module:Name`; a dot may stand for the colon."""

    def __init__(self, names: NameResolver, components: Sequence[str] = ()) -> None:
        self.names = names
        self.patterns = tuple(components)

    def takes_part(self, resolution: Resolution) -> bool:
        """Whether a plain class does."""
        assert isinstance(resolution.node, ast.ClassDef)
        if resolution.module is None or not resolution.module.own:
            return False
        if self._is_named(resolution.module, resolution.name):
            # A glob means those that do something: a record is what they hand to each other.
            return f"{resolution.module.name}:{resolution.name}" in self.patterns or _does_something(resolution.node)
        return self._is_decorated(resolution.module, resolution.node)

    def build_function_component(self, module: Module) -> Resolution | None:
        """The functions of a module that do, in the shape of a class with static methods; None where none does."""
        chosen = list(self._iter_functions(module))
        if not chosen:
            return None
        name = module.name.rpartition(".")[2]
        class_node = ast.ClassDef(name, [], [], [_make_static(function) for function in chosen], [])
        first, last = chosen[0], chosen[-1]
        class_node.lineno = min([first.lineno, *(d.lineno for d in first.decorator_list)])
        class_node.col_offset, class_node.end_lineno, class_node.end_col_offset = (
            0,
            last.end_lineno,
            last.end_col_offset,
        )
        return Resolution(NameKind.CLASS, name, module, class_node)

    def _iter_functions(self, module: Module) -> Iterator[Function]:
        if not self.patterns and not module.mentions("contract"):
            return
        for name, bindings in module.namespace.names.items():
            node = bindings[-1].to
            if isinstance(node, Function) and (self._is_named(module, name) or self._is_decorated(module, node)):
                yield node

    def _is_named(self, module: Module, name: str) -> bool:
        if name.startswith("_") or not self.patterns:
            return False
        ways = (f"{module.name}:{name}", f"{module.name}.{name}")
        return any(fnmatchcase(way, pattern) for pattern in self.patterns for way in ways)

    def _is_decorated(self, module: Module, node: ast.ClassDef | Function) -> bool:
        if not node.decorator_list or not module.mentions("contract"):
            return False
        decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
        resolutions = (self.names.find(module, dotted_name(item)) for item in decorators)
        return any(item is not None and item.graphbus == "contract" for item in resolutions)


def _does_something(class_node: ast.ClassDef) -> bool:
    """Whether a class has methods that others call, and is not a model, enumeration, protocol or exception."""
    bases = [dotted_name(b.value if isinstance(b, ast.Subscript) else b).rpartition(".")[2] for b in class_node.bases]
    if any(base in RECORDS or base.endswith(("Error", "Exception")) for base in bases):
        return False
    return any(isinstance(line, Function) and not line.name.startswith("_") for line in class_node.body)


def _make_static(function: Function) -> Function:
    """A function as a member of a class that is not there: nothing is bound to its first parameter."""
    static_function = copy.copy(function)
    static_function.decorator_list = [
        *function.decorator_list,
        ast.copy_location(ast.Name("staticmethod", ast.Load()), function),
    ]
    return static_function


_BUILTIN_CLASSES = frozenset(name for name, made in vars(builtins).items() if isinstance(made, type))


@dataclass(frozen=True)
class NodeClass:
    """A node class. `lineage` is its method resolution order, itself first, as far as there is source for it.

    `doubt` says why only an import can tell whether, or as what, the class is there. `plain`: it takes part without
    inheriting, as a `class` or as the `functions` of a module.
    """

    found: Resolution
    lineage: tuple[Resolution, ...]
    doubt: str | None = None
    plain: str = ""

    @property
    def module(self) -> Module:
        """The module that defines it."""
        assert self.found.module is not None
        return self.found.module

    @property
    def node(self) -> ast.ClassDef:
        """Its definition."""
        assert isinstance(self.found.node, ast.ClassDef)
        return self.found.node


class NodeScanner:
    """Finds node classes, file by file."""

    def __init__(self, names: NameResolver, components: Sequence[str] = ()) -> None:
        self.names = names
        self.plain = PlainComponents(names, components)

    def scan(self, module: Module) -> list[NodeClass]:
        """The node classes that a module defines, in the order written, nested ones too."""
        nodes = [
            node
            for resolution, doubt in self._iter_classes(module, "", None, None)
            if (node := self._build_node(resolution, doubt)) is not None
        ]
        functions = self.plain.build_function_component(module)
        return nodes if functions is None else [*nodes, NodeClass(functions, (functions,), plain="functions")]

    def is_node(self, resolution: Resolution) -> bool:
        """Whether a class that was found is a node."""
        return resolution.kind is NameKind.CLASS and (
            self._check_bases(resolution)[0] or self.plain.takes_part(resolution)
        )

    def _iter_classes(
        self, module: Module, prefix: str, owner: ast.ClassDef | None, doubt: str | None
    ) -> Iterator[tuple[Resolution, str | None]]:
        namespace = self.names.read_body(owner, module) if owner else module.namespace
        for name, bindings in namespace.names.items():
            live_bindings = [b for b in bindings if b.doubt != "TYPE_CHECKING"]
            if not live_bindings or not isinstance(live_bindings[-1].to, ast.ClassDef):
                if not any(isinstance(b.to, ast.ClassDef) for b in live_bindings):
                    continue
                if live_bindings[-1].doubt is None and not isinstance(live_bindings[-1].to, ast.ClassDef):
                    live_bindings = [b for b in live_bindings if isinstance(b.to, ast.ClassDef)]  # `A = register(A)`
            classes = [b for b in live_bindings if isinstance(b.to, ast.ClassDef)]
            last = classes[-1]
            assert isinstance(last.to, ast.ClassDef)
            resolution = Resolution(NameKind.CLASS, f"{prefix}{name}", module, last.to, owner)
            unsure = doubt or (None if bindings[-1].doubt is None else last.doubt)
            yield resolution, unsure
            if any(isinstance(inner, ast.ClassDef | ast.If | ast.Try) for inner in last.to.body):
                yield from self._iter_classes(module, f"{prefix}{name}.", last.to, unsure)

    def _build_node(self, resolution: Resolution, doubt: str | None) -> NodeClass | None:
        assert isinstance(resolution.node, ast.ClassDef)
        if self.plain.takes_part(resolution) and not self._check_bases(resolution)[0]:
            return NodeClass(resolution, self._linearize(resolution), plain="class")
        if not resolution.node.bases:
            return None
        is_node, unclear = self._check_bases(resolution)
        if not is_node and unclear is None:
            return None
        lineage = self._linearize(resolution)
        node = NodeClass(resolution, lineage, doubt or (None if is_node else unclear))
        return None if is_node and self._is_abstract(node) else node

    def _check_bases(self, resolution: Resolution, visited: frozenset[str] = frozenset()) -> tuple[bool, str | None]:
        """Whether the bases lead to GraphBusNode, and if not, which base might, for all that source tells."""
        unclear: str | None = None
        if resolution.key in visited:
            return False, None
        assert isinstance(resolution.node, ast.ClassDef)
        for base_node, base in zip(resolution.node.bases, self.names.find_bases(resolution), strict=True):
            if base is None:
                unclear = unclear or self._explain_plausible(resolution, base_node)
            elif base.graphbus == "GraphBusNode":
                return True, None
            elif base.kind is NameKind.CLASS:
                is_node, why = self._check_bases(base, visited | {resolution.key})
                if is_node:
                    return True, None
                unclear = unclear or why
        return False, unclear

    def _explain_plausible(self, resolution: Resolution, base_node: ast.expr) -> str | None:
        """A base that is computed: only where GraphBusNode is near is it worth an import."""
        assert resolution.module is not None
        resolved = self.names.find(resolution.module, dotted_name(base_node))
        if (
            resolved is None
            and dotted_name(base_node) in _BUILTIN_CLASSES
            and dotted_name(base_node) not in resolution.module.namespace.names
        ):
            return None  # `object`, `dict`, `RuntimeError`
        module, call = resolution.module, base_node
        if (
            resolved is not None
            and resolved.kind is NameKind.VALUE
            and resolved.module
            and isinstance(resolved.node, ast.Call)
        ):
            module, call = resolved.module, resolved.node  # `Base = declarative_base()`
        maker = self.names.find(module, dotted_name(call.func)) if isinstance(call, ast.Call) else None
        near = [resolution.module, *([maker.module] if maker and maker.module else [])]
        if maker is not None and maker.kind is NameKind.EXTERNAL:
            return None
        text = ast.unparse(base_node)[:60]
        return f"its base `{text}` is computed" if any(m.mentions("GraphBusNode") for m in near) else None

    def _linearize(self, resolution: Resolution) -> tuple[Resolution, ...]:
        """C3 linearization over the classes that there is source for."""
        return tuple(self._merge(resolution, frozenset()))

    def _merge(self, resolution: Resolution, visited: frozenset[str]) -> list[Resolution]:
        if resolution.key in visited:
            return []
        bases = [b for b in self.names.find_bases(resolution) if b is not None and b.kind is NameKind.CLASS]
        waiting = [self._merge(b, visited | {resolution.key}) for b in bases] + [list(bases)]
        order = [resolution]
        while waiting := [w for w in waiting if w]:
            heads = [w[0] for w in waiting]
            tails = {f.key for w in waiting for f in w[1:]}
            pick = next((h for h in heads if h.key not in tails), heads[0])
            order.append(pick)
            waiting = [[f for f in w if f.key != pick.key] for w in waiting]
        return order

    def _is_abstract(self, node: NodeClass) -> bool:
        if any(dotted_name(b).rpartition(".")[2] == "Protocol" for b in node.node.bases):
            return True
        checked: set[str] = set()
        for ancestor in node.lineage:
            assert isinstance(ancestor.node, ast.ClassDef)
            for statement in ancestor.node.body:
                if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name not in checked:
                    checked.add(statement.name)
                    if any(dotted_name(d).rpartition(".")[2] == "abstractmethod" for d in statement.decorator_list):
                        return True
        return False
