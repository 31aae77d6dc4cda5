"""`NodeScanner`: which classes of a file are nodes, and what each inherits (seed 002 §4.1, "Discovery").

A class is a node when its bases lead to `GraphBusNode`, through whatever module, alias or base class; or when it is a
plain one that takes part (`plain_components.py`). What no import
of the file would give (a class made inside a function) is not a node; an abstract class is a base, not an agent.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import Found, NameKind, Names
from graphbus_core.build.scan.source.plain_components import PlainComponents
from graphbus_core.syntax import dotted

_BUILTIN_CLASSES = frozenset(name for name, made in vars(builtins).items() if isinstance(made, type))


@dataclass(frozen=True)
class NodeClass:
    """A node class. `lineage` is its method resolution order, itself first, as far as there is source for it.

    `doubt` says why only an import can tell whether, or as what, the class is there. `plain`: it takes part without
    inheriting, as a `class` or as the `functions` of a module.
    """

    found: Found
    lineage: tuple[Found, ...]
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

    def __init__(self, names: Names, components: Sequence[str] = ()) -> None:
        self.names = names
        self.plain = PlainComponents(names, components)

    def scan(self, module: Module) -> list[NodeClass]:
        """The node classes that a module defines, in the order written, nested ones too."""
        nodes = [
            node
            for found, doubt in self._classes(module, "", None, None)
            if (node := self._as_node(found, doubt)) is not None
        ]
        functions = self.plain.functions(module)
        return nodes if functions is None else [*nodes, NodeClass(functions, (functions,), plain="functions")]

    def is_node(self, found: Found) -> bool:
        """Whether a class that was found is a node."""
        return found.kind is NameKind.CLASS and (self._reaches(found)[0] or self.plain.takes_part(found))

    def _classes(
        self, module: Module, prefix: str, owner: ast.ClassDef | None, doubt: str | None
    ) -> Iterator[tuple[Found, str | None]]:
        namespace = self.names.body(owner, module) if owner else module.namespace
        for name, bindings in namespace.names.items():
            kept = [b for b in bindings if b.doubt != "TYPE_CHECKING"]
            if not kept or not isinstance(kept[-1].to, ast.ClassDef):
                if not any(isinstance(b.to, ast.ClassDef) for b in kept):
                    continue
                if kept[-1].doubt is None and not isinstance(kept[-1].to, ast.ClassDef):
                    kept = [b for b in kept if isinstance(b.to, ast.ClassDef)]  # `A = register(A)`
            classes = [b for b in kept if isinstance(b.to, ast.ClassDef)]
            last = classes[-1]
            assert isinstance(last.to, ast.ClassDef)
            found = Found(NameKind.CLASS, f"{prefix}{name}", module, last.to, owner)
            unsure = doubt or (None if bindings[-1].doubt is None else last.doubt)
            yield found, unsure
            if any(isinstance(inner, ast.ClassDef | ast.If | ast.Try) for inner in last.to.body):
                yield from self._classes(module, f"{prefix}{name}.", last.to, unsure)

    def _as_node(self, found: Found, doubt: str | None) -> NodeClass | None:
        assert isinstance(found.node, ast.ClassDef)
        if self.plain.takes_part(found) and not self._reaches(found)[0]:
            return NodeClass(found, self._lineage(found), plain="class")
        if not found.node.bases:
            return None
        is_node, unclear = self._reaches(found)
        if not is_node and unclear is None:
            return None
        lineage = self._lineage(found)
        node = NodeClass(found, lineage, doubt or (None if is_node else unclear))
        return None if is_node and self._is_abstract(node) else node

    def _reaches(self, found: Found, seen: frozenset[str] = frozenset()) -> tuple[bool, str | None]:
        """Whether the bases lead to GraphBusNode, and if not, which base might, for all that source tells."""
        unclear: str | None = None
        if found.key in seen:
            return False, None
        assert isinstance(found.node, ast.ClassDef)
        for at, base in zip(found.node.bases, self.names.bases(found), strict=True):
            if base is None:
                unclear = unclear or self._plausible(found, at)
            elif base.graphbus == "GraphBusNode":
                return True, None
            elif base.kind is NameKind.CLASS:
                is_node, why = self._reaches(base, seen | {found.key})
                if is_node:
                    return True, None
                unclear = unclear or why
        return False, unclear

    def _plausible(self, found: Found, at: ast.expr) -> str | None:
        """A base that is computed: only where GraphBusNode is near is it worth an import."""
        assert found.module is not None
        made = self.names.find(found.module, dotted(at))
        if made is None and dotted(at) in _BUILTIN_CLASSES and dotted(at) not in found.module.namespace.names:
            return None  # `object`, `dict`, `RuntimeError`
        module, call = found.module, at
        if made is not None and made.kind is NameKind.VALUE and made.module and isinstance(made.node, ast.Call):
            module, call = made.module, made.node  # `Base = declarative_base()`
        maker = self.names.find(module, dotted(call.func)) if isinstance(call, ast.Call) else None
        near = [found.module, *([maker.module] if maker and maker.module else [])]
        if maker is not None and maker.kind is NameKind.EXTERNAL:
            return None
        text = ast.unparse(at)[:60]
        return f"its base `{text}` is computed" if any(m.mentions("GraphBusNode") for m in near) else None

    def _lineage(self, found: Found) -> tuple[Found, ...]:
        """C3 linearization over the classes that there is source for."""
        return tuple(self._merge(found, frozenset()))

    def _merge(self, found: Found, seen: frozenset[str]) -> list[Found]:
        if found.key in seen:
            return []
        bases = [b for b in self.names.bases(found) if b is not None and b.kind is NameKind.CLASS]
        waiting = [self._merge(b, seen | {found.key}) for b in bases] + [list(bases)]
        order = [found]
        while waiting := [w for w in waiting if w]:
            heads = [w[0] for w in waiting]
            tails = {f.key for w in waiting for f in w[1:]}
            pick = next((h for h in heads if h.key not in tails), heads[0])
            order.append(pick)
            waiting = [[f for f in w if f.key != pick.key] for w in waiting]
        return order

    def _is_abstract(self, node: NodeClass) -> bool:
        if any(dotted(b).rpartition(".")[2] == "Protocol" for b in node.node.bases):
            return True
        done: set[str] = set()
        for one in node.lineage:
            assert isinstance(one.node, ast.ClassDef)
            for at in one.node.body:
                if isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef) and at.name not in done:
                    done.add(at.name)
                    if any(dotted(d).rpartition(".")[2] == "abstractmethod" for d in at.decorator_list):
                        return True
        return False
