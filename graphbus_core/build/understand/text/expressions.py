"""One expression -> the values it may be. Every call on the way is noted, each once."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from graphbus_core.build.understand.text.noted import Noted
from graphbus_core.build.understand.text.values import (
    Attr,
    Call,
    Called,
    Computed,
    Const,
    Element,
    Entered,
    Global,
    Item,
    Listing,
    Record,
    Several,
    Unknown,
    Value,
    Values,
    united,
)

PASSING = frozenset({"copy", "deepcopy", "dict", "list", "tuple", "iter"})
REORDERING = frozenset({"sorted", "reversed", "set", "frozenset"})  # the same elements, and not the same list
PUTTING = frozenset({"append", "add", "insert", "appendleft", "put", "put_nowait"})  # their last argument is put in
SPREADING = frozenset({"extend", "extendleft", "update"})  # what lies in their arguments is put in
COPYING = frozenset({"copy", "model_dump", "_asdict"})
DICT_LIKE = COPYING | {"get", "pop", "setdefault"}  # a class of the project may mean something else by these
Env = dict[str, Values]


class Notes(Protocol):
    """Who takes note of what expressions do: the reading of a file."""

    inside: str
    guarded: bool
    caught: bool
    nodes: dict[int, Values] | None

    def free(self, name: str, line: int) -> Value: ...
    def yielded(self, values: Values) -> None: ...
    def extended(self, target: ast.expr, values: Values, line: int) -> None: ...
    def updated(self, target: ast.expr, more: Record, line: int) -> None: ...
    @property
    def noted(self) -> Noted: ...
    def bind(self, target: ast.expr, found: Values, env: Env) -> None: ...
    def condition(self) -> AbstractContextManager[None]: ...


class Expressions:
    """Evaluates the expressions of one function; `reading` takes note of its calls."""

    def __init__(self, reading: Notes) -> None:
        self.reading = reading

    def of(self, at: ast.expr | None, env: Env) -> Values:
        """What the expression may be."""
        if at is None:
            return ()
        found = self._read(at, env)
        if (nodes := self.reading.nodes) is not None:
            known = nodes.get(id(at))
            nodes[id(at)] = found if known is None else united(known, found)
        return found

    def _read(self, at: ast.expr, env: Env) -> Values:
        match at:
            case ast.Constant(value=value):
                return (Const(at.lineno, value),) if value is not ... else ()
            case ast.Name(id=name):
                return env[name] if name in env else (self.reading.free(name, at.lineno),)
            case ast.Attribute(value=inner, attr=attr):
                return self._attribute(at, inner, attr, env)
            case ast.Call():
                return self._call(at, env)
            case ast.Await(value=ast.Call(func=ast.Name(id=name)) as inner) if name[:1].isupper():
                return (Entered(at.lineno, self.of(inner, env), "__await__"),)  # an object, and not a coroutine
            case ast.Await(value=inner) | ast.Starred(value=inner):
                return self.of(inner, env)
            case ast.NamedExpr(target=target, value=inner):
                found = self.of(inner, env)
                env[target.id] = found
                return found
            case ast.Dict():
                return (self._dict(at, env),)
            case ast.Subscript():
                return self._subscript(at, env)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.of(test, env)
                with self.reading.condition():
                    return united(self.of(body, env), self.of(orelse, env))
            case ast.BoolOp(values=parts):
                first = self.of(parts[0], env)
                with self.reading.condition():
                    return united(first, *(self.of(part, env) for part in parts[1:]))
        return self._made(at, env)

    def _made(self, at: ast.expr, env: Env) -> Values:
        match at:
            case ast.Tuple(elts=parts) if not any(isinstance(p, ast.Starred) for p in parts):
                return (Several(at.lineno, tuple(self.of(part, env) for part in parts)),)
            case ast.List(elts=parts) | ast.Set(elts=parts) | ast.Tuple(elts=parts):
                return (Listing(at.lineno, united(*(self._spread_element(p, env) for p in parts))),)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(at, env)
            case ast.Lambda(args=args, body=body):
                inner = dict(env)
                for default in (*args.defaults, *args.kw_defaults):
                    self.of(default, env)
                for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
                    inner[arg.arg] = (Unknown(at.lineno, "a lambda's parameter"),)
                self.of(body, inner)
                return (Unknown(at.lineno, "a lambda"),)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):  # of mappings: `a | b`
                sides = (self.of(left, env), self.of(right, env))
                if any(isinstance(v, Record | Called) for side in sides for v in side):
                    return (Record(at.lineno, {}, sides),)
                return (Computed(at.lineno, united(*sides)),)
            case ast.Yield(value=inner):
                self.reading.yielded(self.of(inner, env))
                return ()
            case ast.YieldFrom(value=inner):
                self.reading.yielded((Element(at.lineno, self.of(inner, env)),))
                return ()
        inside = [self.of(child, env) for child in ast.iter_child_nodes(at) if isinstance(child, ast.expr)]
        return (Computed(at.lineno, united(*inside)),)

    def _spread_element(self, at: ast.expr, env: Env) -> Values:
        found = self.of(at, env)
        return (Element(at.lineno, found),) if isinstance(at, ast.Starred) else found

    def _attribute(self, at: ast.Attribute, inner: ast.expr, attr: str, env: Env) -> Values:
        if isinstance(inner, ast.Name) and (kept := env.get(f"{inner.id}.{attr}")) is not None:
            return kept
        return (Attr(at.lineno, self.of(inner, env), attr),)

    def _dict(self, at: ast.Dict, env: Env) -> Value:
        fields: dict[str, Values] = {}
        spreads: list[Values] = []
        is_open = False
        for key, value in zip(at.keys, at.values, strict=True):
            found = self.of(value, env)
            if key is None:
                spreads.append(found)
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                fields[key.value] = found
            else:
                self.of(key, env)
                is_open = True
        return Record(at.lineno, fields, tuple(spreads), is_open)

    def _subscript(self, at: ast.Subscript, env: Env) -> Values:
        of = self.of(at.value, env)
        if isinstance(at.slice, ast.Slice):
            for part in (at.slice.lower, at.slice.upper, at.slice.step):
                self.of(part, env)
            return of
        if isinstance(at.slice, ast.Constant) and isinstance(at.slice.value, str | int):
            return item(of, at.slice.value, at.lineno)
        self.of(at.slice, env)
        return (Element(at.lineno, of),) if of else ()

    def _comprehension(self, at: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, env: Env) -> Values:
        inner = dict(env)
        for generator in at.generators:
            self.reading.bind(generator.target, (Element(at.lineno, self.of(generator.iter, inner)),), inner)
            for test in generator.ifs:
                self.of(test, inner)
        filtered = any(generator.ifs for generator in at.generators)
        with self.reading.condition() if filtered else nullcontext():
            if isinstance(at, ast.DictComp):
                self.of(at.key, inner)
            return (Listing(at.lineno, self.of(at.value if isinstance(at, ast.DictComp) else at.elt, inner)),)

    # ---- calls

    def _call(self, at: ast.Call, env: Env) -> Values:
        function = self.of(at.func, env)
        positions: list[Values] = []
        starred = False
        for argument in at.args:
            found = self.of(argument, env)
            starred = starred or isinstance(argument, ast.Starred)
            if not starred:
                positions.append(found)
        call = Call(
            self.reading.inside,
            function,
            tuple(positions),
            {k.arg: self.of(k.value, env) for k in at.keywords if k.arg is not None},
            tuple(self.of(k.value, env) for k in at.keywords if k.arg is None),
            starred,
            at.lineno,
            at.col_offset,
            at.end_lineno or at.lineno,
            at.end_col_offset or 0,
            self.reading.guarded,
            self.reading.caught,
        )
        self.reading.noted.set_by(at, call, self.reading.inside)
        if _word(function) in DICT_LIKE:
            number = self.reading.noted.call(call)
            known = self._builtin(at, call, number)
            return (Called(at.lineno, number),) if known is None else known
        known = self._builtin(at, call, -1)
        return (Called(at.lineno, self.reading.noted.call(call)),) if known is None else known

    def _builtin(self, at: ast.Call, call: Call, number: int) -> Values | None:
        """Calls whose meaning for data is known: `dict(…)`, `x.get("k")`, `x.copy()`, `gather(…)`, …"""
        match call.function:
            case (Global(name=name),):
                return self._function(at, name.rpartition(".")[2], call)
            case (Attr(of=(Global(name="asyncio"),), name="gather"),) if not call.starred:
                return (Several(at.lineno, call.args),)
            case (Attr(of=of, name=name),):
                return self._method(at, of, name, call, number)
        return None

    def _function(self, at: ast.Call, word: str, call: Call) -> Values | None:
        positions = call.args
        if word == "dict" and (call.keywords or call.spreads or not positions):
            return (Record(at.lineno, dict(call.keywords), (*positions, *call.spreads)),)
        if word == "getattr" and len(at.args) >= 2 and isinstance(at.args[1], ast.Constant):
            return (Attr(at.lineno, positions[0], str(at.args[1].value)),) if positions else None
        if word == "cast" and len(at.args) == 2:
            return positions[1] if len(positions) == 2 else None
        if len(positions) != 1 or call.starred:
            return None
        if word == "vars":
            return (Attr(at.lineno, positions[0], "__dict__"),)
        if word in REORDERING:
            return (Listing(at.lineno, (Element(at.lineno, positions[0]),)),)
        return positions[0] if word in PASSING else None

    def _method(self, at: ast.Call, of: Values, name: str, call: Call, number: int) -> Values | None:
        first = at.args[0] if at.args else None
        if name in ("get", "pop", "setdefault") and isinstance(first, ast.Constant):
            if isinstance(first.value, str | int) and len(at.args) <= 2 and not call.keywords:
                return item(of, first.value, at.lineno, soft=name != "pop" or len(at.args) > 1, call=number)
        elif name in COPYING and any(isinstance(v, Record | Several | Listing) for v in of):
            return of  # of anything that was not made here the project tells whether it is a copy
        elif name in ("values", "items") and not at.args:
            return (Listing(at.lineno, (Element(at.lineno, of),)),) if of else ()
        elif isinstance(at.func, ast.Attribute):
            if name in PUTTING and call.args:
                self.reading.noted.put(at, of, call.args[-1], self.reading.inside)
            if name in SPREADING:
                put = united(tuple(Element(at.lineno, one) for one in call.args), *call.keywords.values())
                self.reading.noted.put(at, of, put, self.reading.inside)
                if name != "update":
                    self.reading.extended(at.func.value, put, at.lineno)
            if name in ("append", "add") and len(call.args) == 1:
                self.reading.extended(at.func.value, call.args[0], at.lineno)
            elif name == "update":
                more = Record(at.lineno, dict(call.keywords), (*call.args, *call.spreads))
                self.reading.noted.updated(at, of, more, self.reading.inside)
                self.reading.updated(at.func.value, more, at.lineno)
        return None


def _word(function: Values) -> str:
    """The one attribute that is called, if it is one."""
    match function:
        case (Attr(name=name),):
            return name
    return ""


def item(of: Values, key: str | int, line: int, soft: bool = False, call: int = -1) -> Values:
    """The value under a key: looked up where the dict was made here, else left as a question."""
    found: list[Values] = []
    for value in of:
        match value:
            case Record(fields=fields, spreads=spreads) if isinstance(key, str):
                if key in fields:
                    found.append(fields[key])
                else:
                    found += [item(spread, key, line, soft, call) for spread in spreads]
            case Several(elements=elements) if isinstance(key, int) and -len(elements) <= key < len(elements):
                found.append(elements[key])
            case Listing(elements=elements) if isinstance(key, int):
                found.append(elements)
            case _:
                found.append((Item(line, (value,), key, soft, call),))
    return united(*found)


def tells(found: Values) -> bool:
    """Whether values say more than an annotation would."""
    return bool(found) and not all(isinstance(v, Const | Unknown) for v in found)


def joined(env: Env, ends: list[Env]) -> None:
    """What every name may be after several ways through; changes `env`."""
    names = dict.fromkeys(name for end in ends for name in end)
    made = {name: united(*(end[name] for end in ends if name in end)) for name in names}
    env.clear()
    env.update(made)
