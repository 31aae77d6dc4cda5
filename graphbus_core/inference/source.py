"""The project's functions and classes as syntax, by file and qualified name; what a function's text says of itself."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.analysis.index import ClassRef, ExternalRef, FunctionRef, Index
from graphbus_core.analysis.newer_syntax import parse_source
from graphbus_core.analysis.objects import parse_annotation
from graphbus_core.inference.shapes import (
    ANY,
    NONE,
    UNKNOWN,
    ContainerShape,
    InstanceShape,
    MappingShape,
    PlainShape,
    RecordField as KeyedField,
    RecordShape,
    Shape,
    TupleShape,
    join_shapes,
)
from graphbus_core.syntax import walk_body

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class File:
    """One parsed file. Qualified names are those of `analysis`: `Class.method`, `outer.inner`."""

    path: str
    tree: ast.Module
    functions: dict[str, FunctionNode] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    every: list[tuple[str, FunctionNode]] = field(default_factory=list)  # a property's getter and setter are two
    owner: dict[str, str] = field(default_factory=dict)  # function -> the class whose body holds it
    variables: dict[str, list[ast.expr]] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree, walked once: many questions go over all of them."""
        return list(ast.walk(self.tree))

    @cached_property
    def definitions(self) -> Counter[str]:
        """How often a function of each name is defined in the file, in whatever class or branch."""
        return Counter(n.name for n in self.nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))

    @cached_property
    def bound_once(self) -> frozenset[str]:
        """The module's names that one plain assignment gives a value, outside of any branch, and nothing else binds."""
        plain = {target.id for node in self.tree.body for target in _list_plain_targets(node)}
        every = Counter(name for node in walk_body(self.tree.body) for name in _list_bound_names(node))
        # A function may bind a name of the module by saying so, and `import *` may bring any.
        elsewhere = {name for node in self.nodes if isinstance(node, ast.Global) for name in node.names}
        written_by_name = any(isinstance(node, ast.Name) and node.id == "globals" for node in self.nodes)
        if every["*"] or written_by_name:
            return frozenset()
        return frozenset(name for name in plain - elsewhere if every[name] == 1)


def _list_plain_targets(statement: ast.stmt) -> list[ast.Name]:
    match statement:
        case ast.Assign(targets=[ast.Name() as name]) | ast.AnnAssign(target=ast.Name() as name, value=ast.expr()):
            return [name]
    return []


def _list_bound_names(node: ast.AST) -> list[str]:
    """The names that one node binds by itself."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.alias(name=name, asname=other):
            return [(other or name).partition(".")[0]]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ExceptHandler(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return [name]
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            return [name]
    return []


class Sources:
    """Parses each file once, when it is first asked for."""

    def __init__(self, texts: ProjectFiles) -> None:
        self.texts = texts
        self._trees = texts.trees = {} if texts.trees is None else texts.trees
        self._files: dict[str, File | None] = {}

    def __getitem__(self, path: str) -> File | None:
        if path not in self._files:
            try:
                tree = self._trees.pop(path, None) or parse_source(self.texts.read_content(path), path)
            except (SyntaxError, ValueError, RecursionError):
                self._files[path] = None
            else:
                file = self._files[path] = File(path, tree)
                _collect_definitions(file, tree.body, "", "")
        return self._files[path]

    def find_class(self, path: str, name: str) -> ast.ClassDef | None:
        """A class as it is written."""
        file = self[path]
        return file.classes.get(name) if file is not None else None


def _collect_definitions(file: File, body: list[ast.stmt], prefix: str, cls: str) -> None:
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                name = f"{prefix}{statement.name}"
                file.every.append((name, statement))
                file.functions[name] = statement  # the last definition of a name is the one that counts
                if cls:
                    file.owner[name] = cls
                _collect_definitions(file, statement.body, f"{name}.", "")
            case ast.ClassDef():
                name = f"{prefix}{statement.name}"
                file.classes[name] = statement
                _collect_definitions(file, statement.body, f"{name}.", name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not prefix:
                file.variables.setdefault(name, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if not prefix:
                file.variables.setdefault(name, []).append(value)
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.TryStar():
                for part in ast.iter_child_nodes(statement):
                    if isinstance(part, ast.stmt):
                        _collect_definitions(file, [part], prefix, cls)
                    elif isinstance(part, ast.ExceptHandler):
                        _collect_definitions(file, part.body, prefix, cls)


def is_stub(function: FunctionNode) -> bool:
    """Whether the body says nothing: `...`, `pass`, a docstring, `raise NotImplementedError`."""
    for statement in function.body:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
                continue
        return False
    return True


def can_reach_end(body: list[ast.stmt]) -> bool:
    """Whether control can reach the end of a body."""
    return not any(_is_terminal(statement) for statement in body)


def _is_terminal(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="sys"), attr="exit") | ast.Name(id="exit"))):
            return True
        case ast.If(body=body, orelse=orelse):
            return bool(orelse) and not can_reach_end(body) and not can_reach_end(orelse)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return not can_reach_end(body)  # a context that swallows exceptions is rare, and a hint would say so
        case ast.Try():
            return _is_terminal_try(statement)
        case ast.While(test=ast.Constant(value=value)) if value:
            return not any(isinstance(n, ast.Break) for n in walk_body(statement.body))
        case ast.Match(cases=cases):
            last = cases[-1]
            whole = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
            return whole and all(not can_reach_end(c.body) for c in cases)
    return False


def _is_terminal_try(statement: ast.Try) -> bool:
    if statement.finalbody and not can_reach_end(statement.finalbody):
        return True  # a `return` there wins over whatever happened above
    through = can_reach_end(statement.body) and (not statement.orelse or can_reach_end(statement.orelse))
    return not through and all(not can_reach_end(h.body) for h in statement.handlers)


# Where an expression stands: a file, the function around it, and what its local names are bound to.


@dataclass(frozen=True)
class Assignment:
    """One assignment. `how`: value, hint, element, part N, caught, grown, … `line` is where its statement ends."""

    how: str
    value: ast.expr | None
    line: int
    always: bool  # it stands in the function's own body, not in a branch or loop


@dataclass
class CodeScope:
    """Where an expression stands: a file, and the function around it (none: the module itself)."""

    path: str
    name: str = ""
    function: FunctionNode | None = None
    _bound: dict[str, list[Assignment]] | None = field(default=None, repr=False)

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of the function."""
        return self.function.body if self.function is not None else []

    def collect_assignments(self) -> dict[str, list[Assignment]]:
        """Local name -> each of its assignments, in the order of the lines."""
        if self._bound is None:
            assignments: dict[str, list[Assignment]] = {}
            for statement in self.body:
                always = isinstance(statement, ast.Assign | ast.AnnAssign)
                for name, how, value in _iter_assignments([statement]):
                    assignments.setdefault(name, []).append(Assignment(how, value, statement.end_lineno or 0, always))
            self._bound = assignments
        return self._bound

    def find_reaching_assignments(self, name: str, line: int) -> tuple[list[Assignment], bool]:
        """The assignments that may count at a line, and whether what the name was at the start may count too.

        One that is always run hides all before it; what comes later in a loop may still come first.
        """
        every = self.collect_assignments().get(name, [])
        last = max(
            (n for n, assignment in enumerate(every) if assignment.always and assignment.line < line), default=-1
        )
        return every[max(last, 0) :], last < 0


def _iter_assignments(body: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr | None]]:
    for node in walk_body(body):
        yield from _iter_bindings(node)


def _iter_bindings(node: ast.AST) -> Iterator[tuple[str, str, ast.expr | None]]:
    """The names that one node binds, and how: a table of Python's forms."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _iter_target_bindings(target, "value", value)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            yield name, "hint", annotation
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            yield name, "grown", value
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, "value", value
        case (
            ast.For(target=target, iter=value)
            | ast.AsyncFor(target=target, iter=value)
            | ast.comprehension(target=target, iter=value)
        ):
            yield from _iter_target_bindings(target, "element", value)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield from _iter_target_bindings(target, "entered", value)
        case ast.ExceptHandler(name=str() as name, type=kinds):
            yield name, "caught", kinds
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for alias in names:
                yield (alias.asname or alias.name).partition(".")[0], "imported", None
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            yield name, "dark", None
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, "defined", None
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            for global_name in names:
                yield global_name, "dark", None


def _iter_target_bindings(target: ast.expr, how: str, value: ast.expr) -> Iterator[tuple[str, str, ast.expr | None]]:
    match target:
        case ast.Name(id=name):
            yield name, how, value
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for number, part in enumerate(parts):
                plain = how == "value" and not any(isinstance(p, ast.Starred) for p in parts)
                if plain and isinstance(part, ast.Name):
                    yield part.id, f"part {number}", value
                else:
                    yield from _iter_target_bindings(
                        part.value if isinstance(part, ast.Starred) else part, "dark", value
                    )


# A written type -> a shape. Names are looked up as the file means them.


MAX_DEPTH = 12
LISTS = {"list": "list", "List": "list", "set": "set", "Set": "set", "frozenset": "frozenset", "FrozenSet": "frozenset"}
LISTS |= {n: n for n in ("Iterable", "Iterator", "Sequence", "Collection", "MutableSequence", "AbstractSet", "deque")}
LISTS |= {n: n for n in ("AsyncIterator", "AsyncIterable", "Generator", "AsyncGenerator")}
MAPS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"}
INSIDE = {"Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Awaitable", "Optional"}
PLAIN = {"str", "int", "float", "bool", "bytes", "object", "complex", "bytearray", "type", "range", "memoryview"}


class HintReader:
    """Reads annotations of files."""

    def __init__(self, index: Index, sources: Sources) -> None:
        self.index, self.sources = index, sources

    def read_shape(self, path: str, annotation: str | ast.expr, depth: int = 0) -> Shape:
        """What a value of this written type is; UNKNOWN where that cannot be read."""
        node = parse_annotation(annotation) if isinstance(annotation, str) else annotation
        if node is None or depth > MAX_DEPTH:
            return UNKNOWN
        match node:
            case ast.Constant(value=None):
                return NONE
            case ast.Constant(value=str() as text):
                return self.read_shape(path, text, depth + 1)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return join_shapes((self.read_shape(path, left, depth + 1), self.read_shape(path, right, depth + 1)))
            case ast.Name() | ast.Attribute():
                return self._read_name(path, ast.unparse(node), depth)
            case ast.Subscript(value=value, slice=inner):
                return self._read_generic(path, value, inner, depth + 1)
        return UNKNOWN

    def _read_name(self, path: str, name: str, depth: int) -> Shape:
        last = name.rpartition(".")[2]
        resolved = self.index.look_up_dotted(path, name)
        match resolved:
            case ClassRef(path=class_path, name=cls):
                return self.read_class(class_path, cls, depth)
            case FunctionRef() if resolved.name[:1].isupper():
                return PlainShape(last)
            case ExternalRef(name=dotted):
                last = dotted.rpartition(".")[2]
        if last in LISTS:
            return ContainerShape(LISTS[last], UNKNOWN)
        if last in MAPS:
            return MappingShape(UNKNOWN, UNKNOWN)
        if last in ("tuple", "Tuple"):
            return ContainerShape("tuple", UNKNOWN)
        if last == "None":
            return NONE
        return ANY if last == "Any" else PlainShape(last)

    def read_class(self, path: str, name: str, depth: int = 0) -> Shape:
        """An object of a class of the project; a TypedDict is its keys."""
        if not self.is_typed_dict(path, name) or depth > MAX_DEPTH:
            return InstanceShape(path, name)
        fields: dict[str, KeyedField] = {}
        for where, cls in reversed([*self.index.iter_classes(path, name)]):
            class_node = self.sources.find_class(where, cls.name)
            total = class_node is None or not any(
                k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False
                for k in class_node.keywords
            )
            for key, hint in cls.hints.items():
                word = hint.partition("[")[0].rpartition(".")[2]
                required = word != "NotRequired" and (total or word == "Required")
                fields[key] = KeyedField(key, self.read_shape(where, hint, depth + 1), required)
        return RecordShape(tuple(fields.values()))

    def is_typed_dict(self, path: str, name: str) -> bool:
        """Whether a class is a TypedDict, by itself or by a base."""
        bases = (base for _, cls in self.index.iter_classes(path, name) for base in cls.bases)
        return any(base.rpartition(".")[2] == "TypedDict" for base in bases)

    def _read_generic(self, path: str, value: ast.expr, inner: ast.expr, depth: int) -> Shape:
        word = getattr(value, "id", getattr(value, "attr", ""))
        parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
        if word == "Optional":
            return join_shapes((self.read_shape(path, parts[0], depth), NONE))
        if word == "Union":
            return join_shapes(self.read_shape(path, part, depth) for part in parts)
        if word in INSIDE and parts:
            return self.read_shape(path, parts[0], depth)
        if word == "Coroutine" and len(parts) == 3:
            return self.read_shape(path, parts[2], depth)
        if word == "Literal":
            return PlainShape(ast.unparse(ast.Subscript(ast.Name("Literal"), inner)).replace("'", '"'))
        if word in ("tuple", "Tuple"):
            if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
                return ContainerShape("tuple", self.read_shape(path, parts[0], depth))
            return TupleShape(tuple(self.read_shape(path, part, depth) for part in parts))
        if word in LISTS and parts:
            return ContainerShape(LISTS[word], self.read_shape(path, parts[0], depth))
        if word in MAPS and len(parts) == 2:
            return MappingShape(self.read_shape(path, parts[0], depth), self.read_shape(path, parts[1], depth))
        base = self.read_shape(path, value, depth)
        return PlainShape(base.name) if isinstance(base, PlainShape) else base
