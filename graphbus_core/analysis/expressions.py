"""One expression -> the values it may be. Every call on the way is noted, each once."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Protocol

from graphbus_core.analysis.values import (
    Attr,
    Call,
    CallResult,
    CollectionValue,
    ComputedValue,
    Const,
    ContextValue,
    Element,
    Facts,
    Global,
    Item,
    Record,
    SliceValue,
    Store,
    TupleValue,
    Unknown,
    Value,
    Values,
    join_values,
)
from graphbus_core.syntax import literal_text

# What a file's code does, noted as written: its calls, and where it stores something in what it has. Each once.
#
# A flow is followed in the order of one function's statements. What another name, method, closure or lambda does to the
# same object is not in that order. So each such place is kept, and evidence asks whether one of them meant its value.


SETTING = frozenset({"setitem", "setattr"})  # operator.setitem, setattr, monkeypatch.setitem: of what, key, value
SETTING_OWN = frozenset({"__setitem__", "__setattr__"})


ANY = "*"  # the name of an attribute that is computed: `setattr(x, name, value)`


class CallRecorder:
    """The calls and stores of one file."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._calls: dict[tuple[int, int, int, int], int] = {}
        self._stores: set[tuple[int, int, int, str | None]] = set()

    def record_call(self, call: Call) -> int:
        """Keep a call; a second reading of the same place adds what it may be. Its number in the file's list."""
        key = (call.line, call.column, call.end_line, call.end_column)
        number = self._calls.get(key)
        if number is None:
            number = self._calls[key] = len(self._facts.calls)
            self._facts.calls.append(call)
            return number
        was = self._facts.calls[number]
        self._facts.calls[number] = Call(
            was.inside,
            join_values(was.function, call.function),
            tuple(join_values(a, b) for a, b in zip(was.args, call.args, strict=False)),
            {
                k: join_values(was.keywords.get(k, ()), call.keywords.get(k, ()))
                for k in {**was.keywords, **call.keywords}
            },
            tuple(join_values(a, b) for a, b in zip(was.spreads, call.spreads, strict=False)),
            was.starred,
            *key,
            was.guarded or call.guarded,
            was.caught or call.caught,
        )
        return number

    def record_store(self, node: ast.expr, container: Values, key: str | None, inside: str, value: Values = ()) -> None:
        """Keep one place where `of` is stored in. A loop's body is read twice; by then `of` may be more than it was."""
        where = (node.lineno, node.col_offset, len(container), key)
        if container and where not in self._stores:
            self._stores.add(where)
            self._facts.stores.append(Store(container, key, inside, node.lineno, value))

    def record_put(self, node: ast.expr, container: Values, value: Values, inside: str) -> None:
        """`of.append(value)`: one more element, under no key."""
        if container and value:
            self._facts.puts.append(Store(container, None, inside, node.lineno, value))

    def record_binding(
        self, target: ast.Attribute | ast.Subscript, container: Values, inside: str, value: Values
    ) -> None:
        """`of.name = …`, `of["key"] = …`, `of[computed] = …`."""
        if isinstance(target, ast.Attribute):
            self.record_store(target, container, target.attr, inside, value)
        else:
            self.record_store(target, container, literal_text(target.slice), inside, value)
            self.record_put(target, container, value, inside)

    def record_setting(self, node: ast.Call, call: Call, inside: str) -> None:
        """`operator.setitem(of, "key", …)`, `of.__setitem__("key", …)`."""
        positions = call.args
        match call.function:
            case (Attr(name=word) | Global(name=word),) if word.rpartition(".")[2] in SETTING and len(positions) > 1:
                key = literal_text(node.args[1])
                any_name = ANY if key is None and word == "setattr" else key
                self.record_store(node, positions[0], any_name, inside, positions[2] if len(positions) > 2 else ())
            case (Attr(name="patch") | Global(name="patch"),) if len(positions) > 1:  # `patch("shop.TOOL", mine)`
                name = (literal_text(node.args[0]) or "").rpartition(".")[2]
                self.record_store(node, (Unknown(node.lineno, "what is patched"),), name, inside, positions[1])
            case (Attr(of=(Attr(name="patch") | Global(name="patch"),), name="object"),) if len(positions) > 2:
                self.record_store(node, positions[0], literal_text(node.args[1]), inside, positions[2])
            case (Attr(of=(Attr(name="patch") | Global(name="patch"),), name="dict"),) if positions:
                self.record_put(
                    node,
                    positions[0],
                    join_values(
                        *call.keywords.values(), tuple(Element(node.lineno, position) for position in positions[1:])
                    ),
                    inside,
                )
            case (Attr(of=of, name=word),) if word in SETTING_OWN and node.args:
                self.record_store(
                    node, of, literal_text(node.args[0]), inside, positions[1] if len(positions) > 1 else ()
                )

    def record_update(self, node: ast.Call, container: Values, more: Record, inside: str) -> None:
        """`of.update(key=…)`, `of.update({…})`."""
        keys: set[str | None] = {*more.fields}
        for spread in more.spreads:
            for value in spread:
                keys |= {*value.fields} if isinstance(value, Record) and not value.open else {None}
        for key in keys:
            self.record_store(node, container, key, inside)


PASSING = frozenset({"copy", "deepcopy", "dict", "list", "tuple", "iter"})
REORDERING = frozenset({"sorted", "reversed", "set", "frozenset"})  # the same elements, and not the same list
PUTTING = frozenset({"append", "add", "insert", "appendleft", "put", "put_nowait"})  # their last argument is put in
SPREADING = frozenset({"extend", "extendleft", "update"})  # what lies in their arguments is put in
COPYING = frozenset({"copy", "model_dump", "_asdict"})
HANDING = {"partial": 0, "to_thread": 0, "submit": 0, "run_in_executor": 1}  # the place of the function that they call
DICT_LIKE = COPYING | {"get", "pop", "setdefault"}  # a class of the project may mean something else by these
Env = dict[str, Values]


class ReadingNotes(Protocol):
    """Who takes note of what expressions do: the reading of a file."""

    inside: str
    guarded: bool
    caught: bool
    nodes: dict[int, Values] | None

    def build_free_name(self, name: str, line: int) -> Value: ...
    def note_yield(self, values: Values) -> None: ...
    def note_extension(self, target: ast.expr, values: Values, line: int) -> None: ...
    def note_update(self, target: ast.expr, more: Record, line: int) -> None: ...
    @property
    def noted(self) -> CallRecorder: ...
    def bind(self, target: ast.expr, values: Values, env: Env) -> None: ...
    def enter_condition(self) -> AbstractContextManager[None]: ...


class ExpressionReader:
    """Evaluates the expressions of one function; `reading` takes note of its calls."""

    def __init__(self, reading: ReadingNotes) -> None:
        self.reading = reading

    def read_values(self, expression: ast.expr | None, env: Env) -> Values:
        """What the expression may be."""
        if expression is None:
            return ()
        values = self._read_expression(expression, env)
        if (nodes := self.reading.nodes) is not None:
            earlier = nodes.get(id(expression))
            nodes[id(expression)] = values if earlier is None else join_values(earlier, values)
        return values

    def _read_expression(self, expression: ast.expr, env: Env) -> Values:
        match expression:
            case ast.Constant(value=value):
                return (Const(expression.lineno, value),) if value is not ... else ()
            case ast.Name(id=name):
                return env[name] if name in env else (self.reading.build_free_name(name, expression.lineno),)
            case ast.Attribute(value=inner, attr=attr):
                return self._read_attribute(expression, inner, attr, env)
            case ast.Call():
                return self._read_call(expression, env)
            case ast.Await(value=ast.Call(func=ast.Name(id=name)) as inner) if name[:1].isupper():
                return (
                    ContextValue(expression.lineno, self.read_values(inner, env), "__await__"),
                )  # an object, and not a coroutine
            case ast.Await(value=inner) | ast.Starred(value=inner):
                return self.read_values(inner, env)
            case ast.NamedExpr(target=target, value=inner):
                values = self.read_values(inner, env)
                env[target.id] = values
                return values
            case ast.Dict():
                return (self._read_dict(expression, env),)
            case ast.Subscript():
                return self._read_subscript(expression, env)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.read_values(test, env)
                with self.reading.enter_condition():
                    return join_values(self.read_values(body, env), self.read_values(orelse, env))
            case ast.BoolOp(values=parts):
                first = self.read_values(parts[0], env)
                with self.reading.enter_condition():
                    return join_values(first, *(self.read_values(part, env) for part in parts[1:]))
        return self._read_constructed(expression, env)

    def _read_constructed(self, expression: ast.expr, env: Env) -> Values:
        match expression:
            case ast.Tuple(elts=parts) if not any(isinstance(p, ast.Starred) for p in parts):
                return (TupleValue(expression.lineno, tuple(self.read_values(part, env) for part in parts)),)
            case ast.List(elts=parts) | ast.Set(elts=parts) | ast.Tuple(elts=parts):
                return (
                    CollectionValue(expression.lineno, join_values(*(self._spread_element(p, env) for p in parts))),
                )
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._read_comprehension(expression, env)
            case ast.Lambda(args=args, body=body):
                inner = dict(env)
                for default in (*args.defaults, *args.kw_defaults):
                    self.read_values(default, env)
                for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
                    inner[arg.arg] = (Unknown(expression.lineno, "a lambda's parameter"),)
                self.read_values(body, inner)
                return (Unknown(expression.lineno, "a lambda"),)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):  # of mappings: `a | b`
                sides = (self.read_values(left, env), self.read_values(right, env))
                if any(isinstance(v, Record | CallResult) for side in sides for v in side):
                    return (Record(expression.lineno, {}, sides),)
                return (ComputedValue(expression.lineno, join_values(*sides)),)
            case ast.Yield(value=inner):
                self.reading.note_yield(self.read_values(inner, env))
                return ()
            case ast.YieldFrom(value=inner):
                self.reading.note_yield((Element(expression.lineno, self.read_values(inner, env)),))
                return ()
        inside = [
            self.read_values(child, env) for child in ast.iter_child_nodes(expression) if isinstance(child, ast.expr)
        ]
        return (ComputedValue(expression.lineno, join_values(*inside)),)

    def _spread_element(self, element: ast.expr, env: Env) -> Values:
        values = self.read_values(element, env)
        return (Element(element.lineno, values),) if isinstance(element, ast.Starred) else values

    def _read_attribute(self, node: ast.Attribute, inner: ast.expr, attr: str, env: Env) -> Values:
        if isinstance(inner, ast.Name) and (bound_values := env.get(f"{inner.id}.{attr}")) is not None:
            return bound_values
        return (Attr(node.lineno, self.read_values(inner, env), attr),)

    def _read_dict(self, node: ast.Dict, env: Env) -> Value:
        fields: dict[str, Values] = {}
        spreads: list[Values] = []
        is_open = False
        for key, value in zip(node.keys, node.values, strict=True):
            values = self.read_values(value, env)
            if key is None:
                spreads.append(values)
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                fields[key.value] = values
            else:
                self.read_values(key, env)
                is_open = True
        return Record(node.lineno, fields, tuple(spreads), is_open)

    def _read_subscript(self, node: ast.Subscript, env: Env) -> Values:
        container = self.read_values(node.value, env)
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper, node.slice.step):
                self.read_values(part, env)
            return (SliceValue(node.lineno, container),) if container else ()
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str | int):
            return look_up_item(container, node.slice.value, node.lineno)
        self.read_values(node.slice, env)
        return (Element(node.lineno, container),) if container else ()

    def _read_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, env: Env
    ) -> Values:
        inner = dict(env)
        for generator in node.generators:
            self.reading.bind(generator.target, (Element(node.lineno, self.read_values(generator.iter, inner)),), inner)
            for test in generator.ifs:
                self.read_values(test, inner)
        filtered = any(generator.ifs for generator in node.generators)
        with self.reading.enter_condition() if filtered else nullcontext():
            if isinstance(node, ast.DictComp):
                self.read_values(node.key, inner)
            return (
                CollectionValue(
                    node.lineno, self.read_values(node.value if isinstance(node, ast.DictComp) else node.elt, inner)
                ),
            )

    # ---- calls

    def _read_call(self, node: ast.Call, env: Env) -> Values:
        function = self.read_values(node.func, env)
        positions: list[Values] = []
        starred = False
        for argument in node.args:
            argument_values = self.read_values(argument, env)
            starred = starred or isinstance(argument, ast.Starred)
            if not starred:
                positions.append(argument_values)
        call = Call(
            self.reading.inside,
            function,
            tuple(positions),
            {k.arg: self.read_values(k.value, env) for k in node.keywords if k.arg is not None},
            tuple(self.read_values(k.value, env) for k in node.keywords if k.arg is None),
            starred,
            node.lineno,
            node.col_offset,
            node.end_lineno or node.lineno,
            node.end_col_offset or 0,
            self.reading.guarded,
            self.reading.caught,
        )
        self.reading.noted.record_setting(node, call, self.reading.inside)
        if (handed := self._record_handed_call(node, call)) is not None:
            return handed
        if _read_method_word(function) in DICT_LIKE:
            number = self.reading.noted.record_call(call)
            result = self._read_builtin(node, call, number)
            return (CallResult(node.lineno, number),) if result is None else result
        result = self._read_builtin(node, call, -1)
        return (CallResult(node.lineno, self.reading.noted.record_call(call)),) if result is None else result

    def _record_handed_call(self, node: ast.Call, call: Call) -> Values | None:
        """`partial(f, x)`, `to_thread(f, x)`, `pool.submit(f, x)`: a call of `f`, kept beside the one that is written.

        What comes of it is known where it is awaited; a partial waits for more arguments.
        """
        word = _read_last_word(call.function)
        first = HANDING.get(word)
        if first is None or len(call.args) <= first or not isinstance(node.args[first], ast.Attribute | ast.Name):
            return None
        place = node.args[first]
        handed = replace(
            call,
            function=call.args[first],
            args=call.args[first + 1 :],
            starred=call.starred or word == "partial",
            line=place.lineno,
            column=place.col_offset,
        )
        number = self.reading.noted.record_call(handed)
        return (CallResult(place.lineno, number),) if word == "to_thread" else None

    def _read_builtin(self, node: ast.Call, call: Call, number: int) -> Values | None:
        """Calls whose meaning for data is known: `dict(…)`, `x.get("k")`, `x.copy()`, `gather(…)`, …"""
        match call.function:
            case (Global(name=name),):
                return self._read_function(node, name.rpartition(".")[2], call)
            case (Attr(of=(Global(name="asyncio"),), name="gather"),) if not call.starred:
                return (TupleValue(node.lineno, call.args),)
            case (Attr(of=of, name=name),):
                return self._read_method(node, of, name, call, number)
        return None

    def _read_function(self, node: ast.Call, word: str, call: Call) -> Values | None:
        positions = call.args
        if word == "dict" and (call.keywords or call.spreads or not positions):
            return (Record(node.lineno, dict(call.keywords), (*positions, *call.spreads)),)
        if word == "getattr" and len(node.args) >= 2 and isinstance(node.args[1], ast.Constant):
            default = positions[2] if len(positions) > 2 else ()
            attribute = Attr(node.lineno, positions[0], str(node.args[1].value)) if positions else None
            return join_values((attribute,), default) if attribute is not None else None
        if word == "cast" and len(node.args) == 2:
            return positions[1] if len(positions) == 2 else None
        if word == "zip" and positions and not call.starred:
            row = tuple((Element(node.lineno, position),) for position in positions)
            return (CollectionValue(node.lineno, (TupleValue(node.lineno, row),)),)
        if len(positions) != 1 or call.starred:
            return None
        if word == "enumerate":
            pair = (Unknown(node.lineno, "a count"),), (Element(node.lineno, positions[0]),)
            return (CollectionValue(node.lineno, (TupleValue(node.lineno, pair),)),)
        if word == "next":
            return (Element(node.lineno, positions[0]),)
        if word == "vars":
            return (Attr(node.lineno, positions[0], "__dict__"),)
        if word in REORDERING:
            return (CollectionValue(node.lineno, (Element(node.lineno, positions[0]),)),)
        return positions[0] if word in PASSING else None

    def _read_method(self, node: ast.Call, receiver: Values, name: str, call: Call, number: int) -> Values | None:
        first = node.args[0] if node.args else None
        if name in ("get", "pop", "setdefault") and isinstance(first, ast.Constant):
            if isinstance(first.value, str | int) and len(node.args) <= 2 and not call.keywords:
                return look_up_item(
                    receiver, first.value, node.lineno, soft=name != "pop" or len(node.args) > 1, call=number
                )
        elif name in COPYING and any(isinstance(v, Record | TupleValue | CollectionValue) for v in receiver):
            return receiver  # of anything that was not made here the project tells whether it is a copy
        elif name in ("values", "items") and not node.args:
            return (CollectionValue(node.lineno, (Element(node.lineno, receiver),)),) if receiver else ()
        elif isinstance(node.func, ast.Attribute):
            if name in PUTTING and call.args:
                self.reading.noted.record_put(node, receiver, call.args[-1], self.reading.inside)
            if name in SPREADING:
                added = join_values(
                    tuple(Element(node.lineno, argument) for argument in call.args), *call.keywords.values()
                )
                self.reading.noted.record_put(node, receiver, added, self.reading.inside)
                if name != "update":
                    self.reading.note_extension(node.func.value, added, node.lineno)
            if name in ("append", "add") and len(call.args) == 1:
                self.reading.note_extension(node.func.value, call.args[0], node.lineno)
            elif name == "update":
                more = Record(node.lineno, dict(call.keywords), (*call.args, *call.spreads))
                self.reading.noted.record_update(node, receiver, more, self.reading.inside)
                self.reading.note_update(node.func.value, more, node.lineno)
        return None


def _read_last_word(function: Values) -> str:
    """The last word of what is called, if it is one thing."""
    match function:
        case (Attr(name=name) | Global(name=name),):
            return name.rpartition(".")[2]
    return ""


def _read_method_word(function: Values) -> str:
    """The one attribute that is called, if it is one."""
    match function:
        case (Attr(name=name),):
            return name
    return ""


def look_up_item(values: Values, key: str | int, line: int, soft: bool = False, call: int = -1) -> Values:
    """The value under a key: looked up where the dict was made here, else left as a question."""
    results: list[Values] = []
    for value in values:
        match value:
            case Record(fields=fields, spreads=spreads) if isinstance(key, str):
                if key in fields:
                    results.append(fields[key])
                else:
                    results += [look_up_item(spread, key, line, soft, call) for spread in spreads]
            case TupleValue(elements=elements) if isinstance(key, int) and -len(elements) <= key < len(elements):
                results.append(elements[key])
            case CollectionValue(elements=elements) if isinstance(key, int):
                results.append(elements)
            case _:
                results.append((Item(line, (value,), key, soft, call),))
    return join_values(*results)


def is_informative(values: Values) -> bool:
    """Whether values say more than an annotation would."""
    return bool(values) and not all(isinstance(v, Const | Unknown) for v in values)


def join_environments(env: Env, ends: list[Env]) -> None:
    """What every name may be after several ways through; changes `env`."""
    names = dict.fromkeys(name for end in ends for name in end)
    joined_values = {name: join_values(*(end[name] for end in ends if name in end)) for name in names}
    env.clear()
    env.update(joined_values)
