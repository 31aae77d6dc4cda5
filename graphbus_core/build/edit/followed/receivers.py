"""What an object is on which a method is called: of the class that changes, of another, or nobody can tell.

Read from the project's own text: `self`, constructor calls, annotations, assignments, imports. Nothing is imported, and
a name alone proves nothing: what is not known to be of the class is never rewritten.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text import scope
from graphbus_core.build.edit.text.scope import FUNCTIONS, Function
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.worktree import Workspace, binding, classes, functions

MAX_DEPTH = 14
_SCALARS = frozenset({"str", "int", "float", "bool", "bytes", "bytearray", "complex"})
_CONTAINERS = frozenset({"list", "dict", "set", "frozenset", "tuple", "List", "Dict", "Set", "Tuple", "Sequence"}) | {
    "Mapping", "MutableMapping", "Iterable", "Iterator", "Collection", "MutableSequence", "defaultdict", "deque"
}  # fmt: skip
# decorators that leave what a function returns as it is
_KEEPING = frozenset(
    """property cached_property staticmethod classmethod abstractmethod override cache lru_cache final schema_method
    subscribe publishes depends_on wraps""".split()  # noqa: SIM905
)
_INSIDE = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable"})
# modules whose functions may give back what they were given
_PASSING = frozenset(
    """graphbus_core typing copy pickle functools operator random weakref contextlib contextvars itertools asyncio
    concurrent dataclasses argparse multiprocessing heapq
    importlib unittest inspect types queue collections threading builtins abc""".split()  # noqa: SIM905
)


class Is(Enum):
    """Whether a receiver is an object of the class."""

    OURS = "ours"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Kind:
    """What an expression is. `node`: its class, function or (container) the annotation of its elements."""

    what: str  # unknown | none | scalar | container | foreign | library | module | class | instance | function | super
    source: Source | None = None
    node: ast.AST | None = None
    name: str = ""  # of a foreign name: where it comes from


UNKNOWN, NONE, SCALAR, CONTAINER = Kind("unknown"), Kind("none"), Kind("scalar"), Kind("container")


def parents(source: Source) -> dict[int, ast.AST]:
    """Every node's parent in a file."""
    found: dict[int, ast.AST] | None = source.__dict__.get("_parents")
    if found is None:
        found = {id(c): p for p in ast.walk(source.tree) for c in ast.iter_child_nodes(p)}
        source.__dict__["_parents"] = found
    return found


def around(source: Source, node: ast.AST) -> Iterable[ast.AST]:
    """The nodes that hold a node, innermost first."""
    up = parents(source)
    at = up.get(id(node))
    while at is not None:
        yield at
        at = up.get(id(at))


class Receivers:
    """Judges receivers of `method` of a node."""

    def __init__(self, work: Workspace, node: str, method: str) -> None:
        self.work, self.method = work, method
        self.home, self.cls = work.node(node)
        try:
            self.owner = work.method(node, method)[1]
        except Refusal:
            self.owner = self.cls
        self._judged: dict[int, Is] = {}
        self._families: list[tuple[Source, list[ast.ClassDef]]] | None = None

    @classmethod
    def of_class(cls, work: Workspace, source: Source, meant: ast.ClassDef) -> Receivers:
        """Judges objects of a class that is no node: a contract's."""
        judge = cls.__new__(cls)
        judge.work, judge.method, judge.home, judge.cls, judge.owner = work, "", source, meant, meant
        judge._judged, judge._families = {}, None
        return judge

    def of(self, source: Source, expr: ast.expr) -> Is:
        """What the object is on which an attribute is looked up."""
        try:
            return self.verdict(self.kind(source, expr, expr))
        except Refusal:  # a file on the way cannot be read
            return Is.UNKNOWN

    def unbound(self, source: Source, expr: ast.expr) -> int:
        """1 where the method is called on the class, and its object is the first argument."""
        kind = self.kind(source, expr, expr)
        words = {getattr(d, "id", "") for f in functions(self.owner) if f.name == self.method for d in f.decorator_list}
        return 1 if kind.what == "class" and not words & {"classmethod", "staticmethod"} else 0

    def verdict(self, kind: Kind) -> Is:
        """Whether a kind is the class, or surely none of it."""
        if kind.what in ("instance", "class") and isinstance(kind.node, ast.ClassDef) and kind.source is not None:
            if id(kind.node) not in self._judged:
                self._judged[id(kind.node)] = self._related(kind.source, kind.node)
            return self._judged[id(kind.node)]
        if kind.what == "super" and isinstance(kind.node, ast.ClassDef) and kind.source is not None:
            family = [c for _, c in self.work.family(kind.source, kind.node)][1:]
            first = next((c for c in family if self._defines(c)), None)
            return Is.OURS if first is self.owner else Is.OTHER if first or self.owner not in family else Is.UNKNOWN
        return Is.UNKNOWN if kind.what in ("unknown", "none", "function") else Is.OTHER

    def _defines(self, cls: ast.ClassDef) -> bool:
        return any(f.name == self.method for f in functions(cls))

    def _related(self, source: Source, cls: ast.ClassDef) -> Is:
        family = [c for _, c in self.work.family(source, cls)]
        if any(c is self.owner for c in family):
            first = next((c for c in family if self._defines(c)), self.owner)
            return Is.OURS if first is self.owner else Is.OTHER
        if any(getattr(b, "id", getattr(b, "attr", "")) == "Protocol" for c in family for b in c.bases):
            return Is.UNKNOWN
        if not any(self._defines(c) for c in family) and any(
            f.name in ("__getattr__", "__getattribute__") for c in family for f in functions(c)
        ):
            return Is.UNKNOWN  # it may hand the call to anything
        if not self._heirs():
            return Is.OTHER
        return Is.UNKNOWN if any(c is cls for _, heir in self._heirs() for c in heir) else Is.OTHER

    def _heirs(self) -> list[tuple[Source, list[ast.ClassDef]]]:
        """The families of the classes that come from the owner, itself with them."""
        if self._families is None:
            self._families = []
            for path in self.work.paths:
                try:
                    source = self.work.source(path)
                    found = list(classes(source.tree))
                except Refusal:
                    continue
                for cls in found:
                    if cls.bases or cls is self.owner:
                        family = [c for _, c in self.work.family(source, cls)]
                        if any(c is self.owner for c in family):
                            self._families.append((source, family))
        return self._families

    def overriders(self) -> list[tuple[Source, ast.ClassDef, Function]]:
        """The methods of that name in classes that come from the owner."""
        return [
            (source, family[0], function)
            for source, family in self._heirs()
            if family[0] is not self.owner
            for function in functions(family[0])
            if function.name == self.method
        ]

    # ---- expressions

    def kind(self, source: Source, expr: ast.AST, at: ast.AST, depth: int = 0) -> Kind:
        """What an expression is; `at` is the node whose scopes its names are looked up in."""
        if depth > MAX_DEPTH:
            return UNKNOWN
        match expr:
            case ast.Constant(value=None):
                return NONE
            case ast.Constant() | ast.JoinedStr() | ast.Compare():
                return SCALAR
            case ast.List() | ast.Tuple() | ast.Dict() | ast.Set():
                return CONTAINER
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return CONTAINER
            case ast.Name(id=name):
                return self._name(source, name, at, depth + 1)
            case ast.IfExp(body=body, orelse=orelse):
                return self._join(self.kind(source, e, at, depth + 1) for e in (body, orelse))
            case ast.BoolOp(values=values):
                return self._join(self.kind(source, e, at, depth + 1) for e in values)
            case ast.NamedExpr(value=value) | ast.Await(value=value):
                return self.kind(source, value, at, depth + 1)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):  # of types, of mappings
                return self._join(self.kind(source, e, at, depth + 1) for e in (left, right))
            case ast.BinOp(left=left, right=right):
                kinds = [self.kind(source, e, at, depth + 1) for e in (left, right)]
                return next((k for k in kinds if self.verdict(k) is Is.OTHER), UNKNOWN)
            case ast.Subscript(value=value):
                return self._element(source, value, at, depth + 1)
            case ast.Call():
                return self._call(source, expr, at, depth + 1)
            case ast.Attribute(value=value, attr=attr):
                return self._attribute(self.kind(source, value, at, depth + 1), attr, depth + 1)
        return UNKNOWN

    def _join(self, kinds: Iterable[Kind]) -> Kind:
        listed = [k for k in kinds if k.what != "none"]
        if not listed:
            return UNKNOWN
        first = listed[0]
        if all(k.what == first.what and k.node is first.node for k in listed):
            return first
        judged = {self.verdict(k) for k in listed}
        if judged == {Is.OTHER}:
            return Kind("library")
        return first if judged == {Is.OURS} and {k.what for k in listed} == {"instance"} else UNKNOWN

    def _element(self, source: Source, expr: ast.AST, at: ast.AST, depth: int) -> Kind:
        match expr:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts) if parts:
                return self._join(self.kind(source, p, at, depth) for p in parts)
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt) | ast.SetComp(elt=elt):
                return self.kind(source, elt, elt, depth)
        kind = self.kind(source, expr, at, depth)
        if kind.what == "container" and kind.node is not None and kind.source is not None:
            return self.annotated(kind.source, kind.node, kind.node, depth)
        return kind if kind.what == "scalar" else UNKNOWN

    def _call(self, source: Source, call: ast.Call, at: ast.AST, depth: int) -> Kind:
        if isinstance(call.func, ast.Name) and call.func.id == "super" and not call.args:
            cls = next((n for n in around(source, at) if isinstance(n, ast.ClassDef)), None)
            return Kind("super", source, cls)
        if isinstance(call.func, ast.Attribute):
            if call.func.attr == "get_node" and call.args and isinstance(call.args[0], ast.Constant):
                name = call.args[0].value
                return Kind("instance", *self.work.node(name)) if name in self.work.agents else UNKNOWN
            inner = self.kind(source, call.func.value, at, depth)
            if inner.what == "container":
                if call.func.attr == "values":
                    return inner
                if call.func.attr in ("get", "pop", "popleft", "__getitem__"):
                    return self._element(source, call.func.value, at, depth)
                return UNKNOWN
        kind = self.kind(source, call.func, at, depth)
        match kind.what:
            case "class":
                return Kind("instance", kind.source, kind.node)
            case "function":
                assert kind.source is not None
                assert isinstance(kind.node, FUNCTIONS)
                return self._given_back(kind.source, kind.node, depth)
            case "foreign":
                top, last = kind.name.partition(".")[0], kind.name.rpartition(".")[2]
                if kind.name in ("typing.cast", "typing_extensions.cast") and call.args:
                    return self.annotated(source, call.args[0], at, depth)
                if top in _PASSING:
                    return UNKNOWN
                if top in sys.stdlib_module_names or last[:1].isupper():
                    return Kind("library", name=top)
                given = [self.kind(source, a, at, depth) for a in (*call.args, *(k.value for k in call.keywords))]
                return Kind("library") if given and all(self.verdict(k) is Is.OTHER for k in given) else UNKNOWN
            case "library":
                return kind if kind.name in sys.stdlib_module_names else UNKNOWN
            case "scalar":
                return SCALAR
            case "builtin":
                if kind.name in _SCALARS or kind.name in ("len", "repr", "format", "open", "sum", "abs", "round"):
                    return SCALAR if kind.name != "open" else Kind("library", name="io")
                return CONTAINER if kind.name in _CONTAINERS or kind.name in ("sorted", "range", "zip") else UNKNOWN
        return UNKNOWN

    def _given_back(self, source: Source, function: Function, depth: int) -> Kind:
        """What a function returns, by its annotation or by what it returns; a decorator may change that."""
        if any(_word(d) not in _KEEPING for d in function.decorator_list):
            return UNKNOWN
        if function.returns is not None:
            cls = parents(source).get(id(function))
            if isinstance(function.returns, ast.Name) and function.returns.id == "Self":
                return Kind("instance", source, cls) if isinstance(cls, ast.ClassDef) else UNKNOWN
            return self.annotated(source, function.returns, function, depth)
        given = [n.value for n in scope.own_nodes(function) if isinstance(n, ast.Return) and n.value is not None]
        return self._join(self.kind(source, v, v, depth) for v in given[:20])

    def _attribute(self, of: Kind, attr: str, depth: int) -> Kind:
        match of.what:
            case "module":
                assert of.source is not None
                found = self._in_module(of.source, attr, depth)
                return found if found is not None else UNKNOWN
            case "instance" | "class":
                assert of.source is not None
                assert isinstance(of.node, ast.ClassDef)
                return self._member(of.source, of.node, attr, depth)
            case "foreign":
                return Kind("foreign", name=f"{of.name}.{attr}")
            case "library":
                return of if of.name in sys.stdlib_module_names else UNKNOWN
            case "scalar":
                return SCALAR
        return UNKNOWN

    def _member(self, source: Source, cls: ast.ClassDef, attr: str, depth: int) -> Kind:
        """`obj.attr` of a class of the project: a method, a property, a class, or what `self.attr` is set to."""
        found: list[Kind] = []
        for at, owner in self.work.family(source, cls):
            for function in functions(owner):
                if function.name == attr:
                    words = {getattr(d, "id", getattr(d, "attr", "")) for d in function.decorator_list}
                    if words & {"property", "cached_property"}:
                        return self._given_back(at, function, depth)
                    return Kind("function", at, function)
                found += self._set_in(at, function, attr, depth)
            for statement in owner.body:
                match statement:
                    case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if name == attr:
                        return self.annotated(at, annotation, statement, depth)
                    case ast.Assign(targets=targets, value=value) if any(
                        isinstance(t, ast.Name) and t.id == attr for t in targets
                    ):
                        found.append(self.kind(at, value, value, depth))
                    case ast.ClassDef(name=name) if name == attr:
                        return Kind("class", at, statement)
        return self._join(found)

    def _set_in(self, source: Source, function: Function, attr: str, depth: int) -> list[Kind]:
        first = next(iter((*function.args.posonlyargs, *function.args.args)), None)
        if first is None:
            return []
        found = []
        for node in ast.walk(function):
            match node:
                case ast.Attribute(value=ast.Name(id=me), attr=name, ctx=ast.Store()) if (
                    me == first.arg and name == attr
                ):
                    match parents(source).get(id(node)):
                        case ast.AnnAssign(annotation=annotation):
                            found.append(self.annotated(source, annotation, node, depth))
                        case ast.Assign(targets=targets, value=value) if node in targets:
                            found.append(self.kind(source, value, node, depth))
                        case _:
                            found.append(UNKNOWN)
        return found

    # ---- names

    def _name(self, source: Source, name: str, at: ast.AST, depth: int) -> Kind:
        inner = True  # a class's own names are seen from its body alone
        for place in around(source, at):
            match place:
                case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    for generator in place.generators:
                        if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(generator.target)):
                            whole = isinstance(generator.target, ast.Name)
                            return self._element(source, generator.iter, place, depth) if whole else UNKNOWN
                case ast.Lambda():
                    if any(a.arg == name for a in scope.parameters(place.args)):
                        return UNKNOWN
                    inner = False
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    if found := self._in_function(source, place, name, depth):
                        return self._join(found)
                    inner = False
                case ast.ClassDef():
                    if inner and (bound := binding(place.body, name)):
                        return self._join(self._bound(source, b, name, depth) for b in bound)
        kind = self._in_module(source, name, depth)
        if kind is not None:
            return kind
        return Kind("builtin", name=name) if hasattr(builtins, name) else UNKNOWN

    def _in_function(self, source: Source, function: Function, name: str, depth: int) -> list[Kind]:
        found: list[Kind] = []
        for i, arg in enumerate(scope.parameters(function.args)):
            if arg.arg != name:
                continue
            cls = parents(source).get(id(function))
            words = {getattr(d, "id", "") for d in function.decorator_list}
            if i == 0 and isinstance(cls, ast.ClassDef) and "staticmethod" not in words:
                found.append(Kind("class" if "classmethod" in words else "instance", source, cls))
            elif arg is function.args.vararg or arg is function.args.kwarg:
                found.append(CONTAINER)
            else:
                found.append(self.annotated(source, arg.annotation, function, depth) if arg.annotation else UNKNOWN)
        if name not in scope.bound(function.body):
            return found
        if _set_elsewhere(source, "nonlocal", name):
            return [UNKNOWN]
        for node in scope.own_nodes(function):
            match node:
                case ast.Name(id=n, ctx=ast.Store()) if n == name:
                    found.append(self._stored(source, node, depth))
                case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if node.name == name:
                    found.append(self._bound(source, node, name, depth))
                case ast.Import() | ast.ImportFrom() if any(
                    (a.asname or a.name.partition(".")[0]) == name for a in node.names
                ):
                    found.append(self._bound(source, node, name, depth))
                case ast.ExceptHandler(name=n) if n == name:
                    found.append(Kind("library"))
        return found or [UNKNOWN]

    def _stored(self, source: Source, node: ast.Name, depth: int) -> Kind:
        """What a name is bound to where it is stored."""
        match parents(source).get(id(node)):
            case ast.Assign(targets=targets, value=value) if node in targets:
                return self.kind(source, value, value, depth)
            case ast.AnnAssign(annotation=annotation):
                return self.annotated(source, annotation, node, depth)
            case ast.NamedExpr(value=value):
                return self.kind(source, value, value, depth)
            case ast.For(target=target, iter=over) | ast.AsyncFor(target=target, iter=over) if target is node:
                return self._element(source, over, over, depth)
            case ast.withitem(context_expr=value):
                return self._entered(source, value, depth)
        return UNKNOWN

    def _entered(self, source: Source, expr: ast.expr, depth: int) -> Kind:
        """What `with expr as name` binds."""
        kind = self.kind(source, expr, expr, depth)
        if kind.what == "instance" and kind.source is not None and isinstance(kind.node, ast.ClassDef):
            for name in ("__enter__", "__aenter__"):
                found = self._member(kind.source, kind.node, name, depth)
                if found.what == "function" and found.source is not None and isinstance(found.node, FUNCTIONS):
                    return self._given_back(found.source, found.node, depth)
        return kind if kind.what == "library" else UNKNOWN

    def _in_module(self, source: Source, name: str, depth: int) -> Kind | None:
        if depth > MAX_DEPTH:
            return UNKNOWN
        found = binding(source.tree.body, name)
        if found and _set_elsewhere(source, "global", name):
            return UNKNOWN
        return self._join(self._bound(source, b, name, depth + 1) for b in found) if found else None

    def _bound(self, source: Source, node: ast.AST, name: str, depth: int) -> Kind:
        match node:
            case ast.ClassDef():
                return Kind("class", source, node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return Kind("function", source, node)
            case ast.AnnAssign(annotation=annotation):
                return self.annotated(source, annotation, node, depth)
            case ast.Assign(targets=targets, value=value):
                whole = any(isinstance(t, ast.Name) and t.id == name for t in targets)
                return self.kind(source, value, value, depth) if whole else UNKNOWN
            case ast.Import(names=names):
                alias = next(a for a in names if (a.asname or a.name.partition(".")[0]) == name)
                full = alias.name if alias.asname else name
                module = self.work.imported(source, full, 0)
                return Kind("module", module) if module else Kind("foreign", name=full)
            case ast.ImportFrom(names=names, module=base, level=level):
                original = next(a.name for a in names if (a.asname or a.name) == name)
                module = self.work.imported(source, base or "", level)
                if module is not None and (found := self._in_module(module, original, depth)) is not None:
                    return found
                below = self.work.imported(source, f"{base}.{original}" if base else original, level)
                if below is not None:
                    return Kind("module", below)
                return UNKNOWN if level or module is not None else Kind("foreign", name=f"{base}.{original}")
        return UNKNOWN

    # ---- annotations

    def annotated(self, source: Source, annotation: ast.AST, at: ast.AST, depth: int) -> Kind:
        """What a value of a type is."""
        if depth > MAX_DEPTH:
            return UNKNOWN
        match annotation:
            case ast.Constant(value=None):
                return NONE
            case ast.Constant(value=str() as text):
                try:
                    return self.annotated(source, ast.parse(text, mode="eval").body, at, depth + 1)
                except (SyntaxError, ValueError):
                    return UNKNOWN
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return self._join(self.annotated(source, side, at, depth + 1) for side in (left, right))
            case ast.Subscript(value=value, slice=inner):
                return self._of_generic(source, value, inner, at, depth + 1)
            case ast.Name() | ast.Attribute():
                kind = self.kind(source, annotation, at, depth + 1)
                name = annotation.id if isinstance(annotation, ast.Name) else annotation.attr
                match kind.what:
                    case "class":
                        return Kind("instance", kind.source, kind.node)
                    case "foreign" if kind.name.partition(".")[0] in ("graphbus_core", "typing", "typing_extensions"):
                        return CONTAINER if name in _CONTAINERS else UNKNOWN
                    case "foreign":
                        top = kind.name.partition(".")[0]  # what a queue or a namespace holds may be anything
                        return (
                            CONTAINER if name in _CONTAINERS else Kind("library", name="" if top in _PASSING else top)
                        )
                    case "builtin":
                        return SCALAR if name in _SCALARS else CONTAINER if name in _CONTAINERS else UNKNOWN
        return UNKNOWN

    def _of_generic(self, source: Source, value: ast.expr, inner: ast.expr, at: ast.AST, depth: int) -> Kind:
        word = getattr(value, "id", getattr(value, "attr", ""))
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if word in _INSIDE and parts:
            return self.annotated(source, parts[0], at, depth)
        if word == "Union":
            return self._join(self.annotated(source, p, at, depth) for p in parts)
        if word == "Literal":
            return SCALAR
        if word in ("type", "Type") and parts:
            kind = self.annotated(source, parts[0], at, depth)
            return Kind("class", kind.source, kind.node) if kind.what == "instance" else UNKNOWN
        if word in _CONTAINERS and parts:
            plain = [p for p in parts if not _is_ellipsis(p)]
            if word in ("tuple", "Tuple") and len(plain) > 1:
                return CONTAINER
            return Kind("container", source, plain[-1]) if plain else CONTAINER
        return self.annotated(source, value, at, depth)


def _word(node: ast.AST) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _set_elsewhere(source: Source, how: str, name: str) -> bool:
    """Whether some function of the file says `global name` or `nonlocal name`."""
    return (
        re.search(rb"\b" + how.encode() + rb"\b[^\n]*\b" + re.escape(name.encode()) + rb"\b", source.data) is not None
    )


def _is_ellipsis(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is ...
