"""What stands in a syntax tree, as facts keep it: functions with their names, parameters, types as text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from graphbus_core.build.understand.text.values import Parameter

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
    rows = [(a, "positional_only") for a in args.posonlyargs] + [(a, "positional_or_keyword") for a in args.args]
    if args.vararg:
        rows.append((args.vararg, "var_positional"))
    rows += [(a, "keyword_only") for a in args.kwonlyargs]
    if args.kwarg:
        rows.append((args.kwarg, "var_keyword"))
    return tuple(Parameter(a.arg, kind, text_of(a.annotation)) for a, kind in rows)


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
