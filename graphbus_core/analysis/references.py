"""One file -> every place in it that may mean a symbol: names, attributes, imports, and methods that may override.

Each with the innermost definition that it stands in, and the scopes around it. A decorator or a default value belongs
to the scope in which its function stands, an annotation to the function. Nothing is looked up here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from graphbus_core.analysis.scopes import collect_bound_names, list_parameters

Function = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A scope around a place: a function, a class, a lambda or a comprehension, with the names that it binds."""

    name: str  # qualified; that of the definition around it for a lambda or a comprehension
    node: ast.AST
    names: frozenset[str]
    imports: dict[str, tuple[ast.ImportFrom | ast.Import, str]] = field(default_factory=dict)  # and nothing else

    @property
    def is_class(self) -> bool:
        """Whether functions inside of it do not see its names."""
        return isinstance(self.node, ast.ClassDef)


@dataclass(frozen=True, eq=False, slots=True)
class Reference:
    """One place that may mean a symbol called `word`. `scope` is empty at the top of a module."""

    path: str
    scope: str
    node: ast.AST  # a Name, an Attribute, an ImportFrom, or the method that may override
    word: str
    frames: tuple[Frame, ...] = ()
    call: ast.Call | None = None  # whose function it is
    in_text: bool = False  # in an annotation between quotes: its node is not one of the file's

    @property
    def line(self) -> int:
        """Where it stands, from 1."""
        return getattr(self.node, "lineno", 0)

    @property
    def owner(self) -> ast.ClassDef | None:
        """The class whose body it stands in, however deep."""
        return next((f.node for f in reversed(self.frames) if isinstance(f.node, ast.ClassDef)), None)

    @property
    def function(self) -> Frame | None:
        """The innermost function around it."""
        return next((f for f in reversed(self.frames) if isinstance(f.node, Function)), None)


def read_references(path: str, tree: ast.Module) -> list[Reference]:
    """Every reference of a file, in no order."""
    return [*_visit_all(tree.body, Reference(path, "", tree, ""))]


def _visit_all(nodes: Iterable[ast.AST | None], around: Reference) -> Iterator[Reference]:
    for node in nodes:
        if node is not None:
            yield from _visit(node, around)


def _visit(node: ast.AST, around: Reference) -> Iterator[Reference]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _visit_function(node, around)
        case ast.ClassDef():
            yield from _visit_class(node, around)
        case ast.Lambda(args=args, body=body):
            yield from _visit_all(_list_defaults(args), around)
            names = frozenset(a.arg for a in list_parameters(args))
            yield from _visit(body, _enter(around, Frame(around.scope, node, names)))
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from _visit_comprehension(node, around)
        case ast.Call(func=func, args=args, keywords=keywords):
            yield from _visit_named(func, replace(around, call=node))
            yield from _visit_all([*args, *keywords], around)
        case ast.AnnAssign(target=target, annotation=annotation, value=value):
            yield from _visit_all([target, value], around)
            yield from _visit_annotation(annotation, around)
        case _:
            yield from _visit_named(node, around)


def _visit_named(node: ast.AST, around: Reference) -> Iterator[Reference]:
    """A name, an attribute, an import; what stands in anything else."""
    inside = replace(around, call=None)
    match node:
        case ast.Name(id=word, ctx=ast.Load()):
            yield replace(around, node=node, word=word)
        case ast.Attribute(value=value, attr=word):
            yield replace(around, node=node, word=word)
            yield from _visit(value, inside)
        case ast.ImportFrom(names=aliases):
            yield from (replace(around, node=node, word=alias.name) for alias in aliases)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda() | ast.Call():
            yield from _visit(node, inside)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from _visit(node, inside)
        case _:
            yield from _visit_all(ast.iter_child_nodes(node), inside)


def _visit_function(node: Function, around: Reference) -> Iterator[Reference]:
    inner = replace(around, scope=_join(around.scope, node.name))
    if around.frames and around.frames[-1].is_class:
        yield replace(inner, node=node, word=node.name)
    yield from _visit_all([*node.decorator_list, *_list_defaults(node.args)], around)
    for annotation in [*(a.annotation for a in list_parameters(node.args)), node.returns]:
        if annotation is not None:
            yield from _visit_annotation(annotation, inner)
    yield from _visit_all(node.body, _enter(inner, _build_frame(inner.scope, node, node.body, node.args)))


def _visit_class(node: ast.ClassDef, around: Reference) -> Iterator[Reference]:
    yield from _visit_all(node.decorator_list, around)
    inner = replace(around, scope=_join(around.scope, node.name))
    yield from _visit_all([*node.bases, *node.keywords], inner)
    yield from _visit_all(node.body, _enter(inner, _build_frame(inner.scope, node, node.body)))


def _visit_comprehension(node: _COMPREHENSIONS, around: Reference) -> Iterator[Reference]:
    targets = [n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]
    inner = _enter(around, Frame(around.scope, node, frozenset(targets)))
    yield from _visit(node.generators[0].iter, around)
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    rest = [g.iter for g in node.generators[1:]] + [test for g in node.generators for test in g.ifs]
    yield from _visit_all([*parts, *rest], inner)


def _visit_annotation(node: ast.AST, around: Reference) -> Iterator[Reference]:
    """A type, the parts between quotes as well."""
    match node:
        case ast.Constant(value=str() as text):
            try:
                written = ast.parse(text, mode="eval").body
            except (SyntaxError, ValueError, RecursionError):
                return
            for inner in ast.walk(written):
                if isinstance(inner, ast.expr):
                    ast.copy_location(inner, node)
            yield from _visit(written, replace(around, in_text=True))
        case ast.Subscript(value=value) if getattr(value, "id", getattr(value, "attr", "")) == "Literal":
            yield from _visit(value, around)
        case ast.Name():
            yield from _visit(node, around)
        case ast.Attribute():
            yield from _visit(node, around)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _visit_annotation(child, around)


def _enter(around: Reference, frame: Frame) -> Reference:
    return replace(around, frames=(*around.frames, frame))


def _build_frame(name: str, node: ast.AST, body: Sequence[ast.stmt], args: ast.arguments | None = None) -> Frame:
    names = collect_bound_names(body)
    imports: dict[str, tuple[ast.ImportFrom | ast.Import, str]] = {}
    for inner in body if isinstance(node, ast.ClassDef) else _iter_block(body):
        match inner:
            case ast.Global(names=listed) | ast.Nonlocal(names=listed):
                names -= set(listed)
            case ast.ImportFrom(names=aliases) | ast.Import(names=aliases):
                for alias in aliases:
                    imports[alias.asname or alias.name.partition(".")[0]] = inner, alias.name
    if args is not None:
        names |= {a.arg for a in list_parameters(args)}
        for parameter in list_parameters(args):
            imports.pop(parameter.arg, None)
    return Frame(name, node, frozenset(names), imports)


def _iter_block(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements of a function, in its blocks as well, without those of what is defined in it."""
    for node in body:
        yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(
            node, Function | ast.ClassDef
        ):
            yield from _iter_block(ast.iter_child_nodes(node))


def _list_defaults(args: ast.arguments) -> list[ast.expr]:
    return [d for d in (*args.defaults, *args.kw_defaults) if d is not None]


def _join(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name
