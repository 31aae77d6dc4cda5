"""What stands in a syntax tree, as facts keep it: functions with their names, parameters, types as text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from graphbus_core import syntax
from graphbus_core.build.scan.source.namespaces import absolute
from graphbus_core.build.understand.text.expressions import item
from graphbus_core.build.understand.text.values import (
    Called,
    Class,
    Const,
    Facts,
    Function,
    Item,
    Listing,
    Parameter,
    Places,
    Record,
    Several,
    Touched,
    Values,
)

OVER = frozenset({"overload", "setter", "deleter", "getter", "property"})  # one thing, written in several functions

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def functions(body: Sequence[ast.stmt], outer: str = "", cls: str = "") -> Iterable[tuple[str, FunctionNode, str]]:
    """Every function of a file, conditional ones included; nested ones are read with their own."""
    for at in body:
        match at:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield f"{outer}{at.name}", at, cls
            case ast.ClassDef():
                yield from functions(at.body, f"{outer}{at.name}.", f"{outer}{at.name}")
            case ast.If() | ast.Try() | ast.TryStar() | ast.With() | ast.For() | ast.While():
                for part in ("body", "orelse", "finalbody"):
                    yield from functions(getattr(at, part, ()), outer, cls)
                for handler in getattr(at, "handlers", ()):
                    yield from functions(handler.body, outer, cls)


def parameters(args: ast.arguments) -> tuple[Parameter, ...]:
    """The parameters as written."""
    return tuple(Parameter(a.arg, kind, text_of(a.annotation)) for a, kind, _ in syntax.parameters(args))


def signature(name: str, at: FunctionNode, cls: str, taken: tuple[Parameter, ...]) -> Function:
    """A function with what its first lines say; what it does is not read yet."""
    decorators = tuple(text_of(d) or "" for d in at.decorator_list)
    is_async = isinstance(at, ast.AsyncFunctionDef)
    return Function(name, cls, at.lineno, taken, text_of(at.returns), decorators, _places(at), is_async=is_async)


def class_head(name: str, at: ast.ClassDef) -> Class:
    """A class with what its first lines say; what stands in its body is not read yet."""
    made = Class(name, at.lineno, tuple(text_of(b) or "" for b in at.bases))
    made.metaclass = next((text_of(k.value) or "" for k in at.keywords if k.arg == "metaclass"), "")
    made.decorators = tuple(text_of(d) or "" for d in at.decorator_list)
    return made


def _places(at: FunctionNode) -> Places:
    ends = tuple(_end(arg) for arg, _, _ in syntax.parameters(at.args))
    defaults = [_end(d) for d in (*at.args.defaults, *at.args.kw_defaults) if d is not None]
    hint = (at.returns.lineno, at.returns.col_offset, *_end(at.returns)) if at.returns is not None else None
    last = max((*ends, *defaults), default=None)
    return Places((at.lineno, at.col_offset), hint, ends, last, at.body[0].lineno)


def _end(at: ast.expr | ast.arg) -> tuple[int, int]:
    return at.end_lineno or at.lineno, at.end_col_offset or 0


def text_of(at: ast.AST | None) -> str | None:
    match at:
        case None:
            return None
        case ast.Name(id=name):
            return name
        case ast.Constant(value=str() as text):
            return text
        case ast.Call(func=func):
            return text_of(func)
    return ast.unparse(at)


def imported(at: ast.Import | ast.ImportFrom, facts: Facts, package: str) -> None:
    """Note the names that an import binds, inside functions too."""
    if isinstance(at, ast.Import):
        for alias in at.names:
            top = alias.name if alias.asname else alias.name.partition(".")[0]
            _bound(facts, alias.asname or top, (top, None))
        return
    base = absolute(at, package)
    for alias in at.names:
        if alias.name == "*":
            facts.stars.append(base)
        else:
            _bound(facts, alias.asname or alias.name, (base, alias.name))


def _bound(facts: Facts, name: str, found: tuple[str, str | None]) -> None:
    known = facts.imports.setdefault(name, [])
    if found not in known:
        known.append(found)


def live(test: ast.expr, body: list[ast.stmt]) -> list[ast.stmt]:
    """What of an `if` ever runs: under `False` nothing, and under TYPE_CHECKING imports are read and nothing else."""
    if isinstance(test, ast.Constant) and not test.value:
        return []
    if text_of(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return [at for at in body if isinstance(at, ast.Import | ast.ImportFrom)]
    return body


_OF_CALLS = frozenset({"TypeError", "Exception", "BaseException", "builtins.TypeError"})


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a handler goes on where a call could not be made as written: with a name that is not a parameter."""
    names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    if not any(name is None or text_of(name) in _OF_CALLS for name in names):
        return False
    return not (handler.body and isinstance(handler.body[-1], ast.Raise))


def suppresses(item: ast.withitem) -> bool:
    """`with suppress(…):`, `with pytest.raises(…):`: the same, said in one word."""
    called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
    return (text_of(called) or "").rpartition(".")[2] in ("suppress", "raises", "assertRaises", "assertRaisesRegex")


def matched(at: ast.pattern, found: Values, env: dict[str, Values]) -> None:
    """Bind the names of a `case` to what the subject may be."""
    match at:
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                matched(inner, found, env)
            if name:
                env[name] = found
        case ast.MatchMapping(keys=keys, patterns=patterns):
            for key, inner in zip(keys, patterns, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    matched(inner, item(found, key.value, at.lineno), env)
        case ast.MatchOr(patterns=patterns):
            for inner in patterns:
                matched(inner, found, env)
        case ast.MatchSequence(patterns=patterns):
            for i, inner in enumerate(patterns):
                matched(inner, item(found, i, at.lineno), env)
        case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns):
            for name, inner in zip(names, patterns, strict=True):
                matched(inner, (Item(at.lineno, found, name),), env)


def dropped(at: ast.expr, found: Values, env: dict[str, Values]) -> None:
    """A call whose result nobody takes is made for what it does, maybe to what it is given: `in_metres(row)`."""
    match at, found:
        case ast.Call(args=args, keywords=keywords), (Called(call=number),):
            for one in (*args, *(k.value for k in keywords)):
                if not isinstance(one, ast.Name):
                    continue
                given = env.get(one.id, ())
                if given and not any(isinstance(v, Record | Several | Listing | Const | Touched) for v in given):
                    env[one.id] = (Touched(at.lineno, given, number),)
