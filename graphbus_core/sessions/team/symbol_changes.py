"""What two texts of one Python file differ in, said as changes of symbols. Text in, nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.commit.landing.interference.aspects import own_nodes
from graphbus_core.commit.landing.interference.definitions import Function
from graphbus_core.negotiation.team.plan import (
    ADD,
    ADD_KEY,
    ADD_PARAMETER,
    BEHAVIOUR,
    BODY,
    CHANGE_PARAMETER,
    REMOVE,
    REMOVE_KEY,
    REMOVE_PARAMETER,
    RENAME,
    RENAME_KEY,
    RENAME_PARAMETER,
    RETURNS,
    Change,
)

MAX_TEXT = 80  # characters of a type or a default that is quoted


@dataclass(frozen=True)
class Parameter:
    """One parameter as it is written."""

    name: str
    kind: str
    type: str
    default: str


Symbols = dict[str, ast.AST]


def read_symbols(tree: ast.AST, name: str = "") -> Symbols:
    """Functions, classes, and the names that modules and classes give values, by qualified name; the last counts."""
    symbols: Symbols = {}
    for statement in _iter_statements(getattr(tree, "body", [])):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                inner = f"{name}.{statement.name}" if name else statement.name
                symbols[inner] = statement
                if isinstance(statement, ast.ClassDef):
                    symbols |= read_symbols(statement, inner)
            case ast.AnnAssign(target=ast.Name(id=word)) | ast.Assign(targets=[ast.Name(id=word)]):
                if not word.startswith("__"):
                    symbols[f"{name}.{word}" if name else word] = statement
    return symbols


def _iter_statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a scope, under conditions and in `try` as well."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            for block in ("body", "orelse", "finalbody"):
                yield from _iter_statements(getattr(statement, block, []))
            for handler in getattr(statement, "handlers", []):
                yield from _iter_statements(handler.body)


def compare_sources(path: str, before: bytes, after: bytes) -> list[Change]:
    """Every change from one text to the other. Raises SyntaxError or ValueError where one does not parse."""
    old, new = read_symbols(ast.parse(before)), read_symbols(ast.parse(after))
    gone, come = _list_outermost(old, new), _list_outermost(new, old)
    renamed = dict(_pair_renames(old, new, gone, come))
    changes = [_make(path, symbol, RENAME, old[symbol], to=to.rpartition(".")[2]) for symbol, to in renamed.items()]
    changes += [_make(path, s, REMOVE, old[s]) for s in gone if s not in renamed]
    changes += [_make(path, s, ADD, new[s]) for s in come if s not in renamed.values()]
    for symbol, node in old.items():
        if symbol in new:
            changes += _compare_nodes(path, symbol, node, new[symbol])
    return changes


def _make(path: str, symbol: str, kind: str, node: ast.AST, **fields: Any) -> Change:
    return Change(f"{path}::{symbol}", kind, place=f"{path}:{getattr(node, 'lineno', 1)}", **fields)


def _list_outermost(symbols: Symbols, other: Symbols) -> list[str]:
    """Those that the other text does not have, without the members of such a class."""
    missing = [s for s in symbols if s not in other]
    return [s for s in missing if s.rpartition(".")[0] not in missing]


def _pair_renames(old: Symbols, new: Symbols, gone: Sequence[str], come: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What went and came with the same content in the same scope."""
    left = list(come)
    for symbol in gone:
        scope, content = symbol.rpartition(".")[0], _read_content(old[symbol])
        match = next((s for s in left if s.rpartition(".")[0] == scope and _read_content(new[s]) == content), None)
        if match is not None and isinstance(old[symbol], Function | ast.ClassDef):
            left.remove(match)
            yield symbol, match


def _read_content(node: ast.AST) -> str:
    """A definition without its name."""
    if isinstance(node, Function | ast.ClassDef):
        return "\n".join(ast.dump(part) for part in ast.iter_child_nodes(node))
    return ast.dump(node)


def _compare_nodes(path: str, symbol: str, old: ast.AST, new: ast.AST) -> Iterator[Change]:
    if ast.dump(old) == ast.dump(new):
        return
    if isinstance(old, Function) and isinstance(new, Function):
        yield from _compare_functions(path, symbol, old, new)
    elif isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
        if _dump_all([*old.bases, *old.keywords]) != _dump_all([*new.bases, *new.keywords]):
            yield _make(path, symbol, BEHAVIOUR, new, sentence="its bases changed")
        if _dump_all(old.decorator_list) != _dump_all(new.decorator_list):
            yield _make(path, symbol, BEHAVIOUR, new, sentence="its decorators changed")
    elif type(old) is type(new) or {type(old), type(new)} <= {ast.Assign, ast.AnnAssign}:
        yield _make(path, symbol, BODY, new)
    else:
        yield _make(path, symbol, BEHAVIOUR, new, sentence="it is another kind of thing")


def _compare_functions(path: str, symbol: str, old: Function, new: Function) -> Iterator[Change]:
    if type(old) is not type(new):
        yield _make(path, symbol, BEHAVIOUR, new, sentence="it is awaited now, or was" if new else "")
    if _dump_all(old.decorator_list) != _dump_all(new.decorator_list):
        yield _make(path, symbol, BEHAVIOUR, new, sentence="its decorators changed")
    yield from _compare_parameters(path, symbol, old, new)
    if _unparse(old.returns) != _unparse(new.returns):
        yield _make(path, symbol, RETURNS, new, type=_unparse(new.returns) or "anything")
    yield from _compare_keys(path, symbol, old, new)
    if _dump_all(_list_code(old)) != _dump_all(_list_code(new)):
        yield _make(path, symbol, BODY, new)


def _compare_parameters(path: str, symbol: str, old: Function, new: Function) -> Iterator[Change]:
    before, now = ({p.name: p for p in read_parameters(f)} for f in (old, new))
    gone, come = [n for n in before if n not in now], [n for n in now if n not in before]
    order = list(before), list(now)
    for name in list(gone):
        # In the same place under another name: renamed, as far as a caller can tell.
        other = next((n for n in come if order[0].index(name) == order[1].index(n) and len(gone) == len(come)), None)
        if other is not None and before[name].kind == now[other].kind:
            gone.remove(name)
            come.remove(other)
            yield _make(path, symbol, RENAME_PARAMETER, new, name=name, to=other)
    for name in gone:
        yield _make(path, symbol, REMOVE_PARAMETER, new, name=name)
    for name in come:
        yield _make(path, symbol, ADD_PARAMETER, new, name=name, type=now[name].type, default=now[name].default)
    for name, parameter in now.items():
        if name in before and before[name] != parameter:
            yield _make(path, symbol, CHANGE_PARAMETER, new, name=name, type=parameter.type, default=parameter.default)
    stayed = [n for n in order[0] if n in now], [n for n in order[1] if n in before]
    if stayed[0] != stayed[1]:
        yield _make(path, symbol, BEHAVIOUR, new, sentence="its parameters stand in another order")


def read_parameters(function: Function) -> list[Parameter]:
    """The parameters in the order in which they stand."""
    args = function.args
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    rows = [(a, "plain", d) for a, d in zip(plain, defaults, strict=True)]
    rows += [(args.vararg, "rest", None)] if args.vararg else []
    rows += [(a, "keyword", d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    rows += [(args.kwarg, "rest by name", None)] if args.kwarg else []
    return [Parameter(a.arg, kind, _unparse(a.annotation), _unparse(d)) for a, kind, d in rows]


def _compare_keys(path: str, symbol: str, old: Function, new: Function) -> Iterator[Change]:
    before, now = read_result_keys(old), read_result_keys(new)
    if before is None or now is None:
        return
    gone, come = sorted(before - now), sorted(now - before)
    if len(gone) == len(come) == 1:
        yield _make(path, symbol, RENAME_KEY, new, name=gone[0], to=come[0])
        return
    for key in gone:
        yield _make(path, symbol, REMOVE_KEY, new, name=key)
    for key in come:
        yield _make(path, symbol, ADD_KEY, new, name=key)


def read_result_keys(function: Function) -> set[str] | None:
    """The keys of the dict that it returns; None where the text does not tell them all."""
    keys: set[str] = set()
    for node in own_nodes(function):
        if isinstance(node, ast.Return) and node.value is not None:
            if not isinstance(node.value, ast.Dict):
                return None
            for key in node.value.keys:
                if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                    return None
                keys.add(key.value)
    return keys or None


def _list_code(function: Function) -> list[ast.stmt]:
    """Its statements without the docstring."""
    body = function.body
    has_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if has_text and isinstance(getattr(body[0], "value").value, str) else body  # noqa: B009


def _dump_all(nodes: Sequence[ast.AST]) -> list[str]:
    return [ast.dump(node) for node in nodes]


def _unparse(node: ast.AST | None) -> str:
    return "" if node is None else ast.unparse(node)[:MAX_TEXT]
