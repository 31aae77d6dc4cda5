"""What each kind of expression gives, and what an assignment stores: values go on as they are, or become unknown."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from graphbus_core.analysis.execution import contents
from graphbus_core.analysis.execution.state import (
    INSIDE,
    MISSING,
    NONE,
    NOTHING_KNOWN,
    Arguments,
    Bound,
    Choice,
    Const,
    Fields,
    Frame,
    Function,
    Items,
    Made,
    Ref,
    Thing,
    Unknown,
    Value,
    join,
    list_options,
)

if TYPE_CHECKING:
    from graphbus_core.analysis.execution.interpreter import Interpreter

_NAMED = re.compile(r"(?:[\w.]*[.:])?(\w+)(?:\(\))?")  # a function in text: `jobs.run`, `jobs:run()`
_OPERATORS: dict[type[ast.AST], Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda a, b: a is b or a == b,
    ast.IsNot: lambda a, b: not (a is b or a == b),
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def evaluate(run: Interpreter, node: ast.expr | None) -> Value:
    """What an expression gives."""
    if node is None:
        return NONE
    run.count_step()
    handler = _EXPRESSIONS.get(type(node))
    if handler is not None:
        return handler(run, node)
    return run.unknown(*(evaluate(run, c) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)))


def decide(run: Interpreter, node: ast.expr) -> bool | None:
    """Whether a condition holds; None where nobody can tell."""
    return contents.is_true(run, evaluate(run, node))


# ---- what lies in something


# ---- storing


def assign(run: Interpreter, target: ast.expr, value: Value) -> None:
    """Bind a name, an attribute, a key or several."""
    match target:
        case ast.Name(id=name):
            run.bind_name(name, value)
        case ast.Starred(value=inner):
            assign(run, inner, value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            _unpack(run, parts, value)
        case ast.Attribute(value=inner, attr=name):
            for option in list_options(evaluate(run, inner)):
                contents.store_attribute(run, option, name, value)
        case ast.Subscript(value=inner, slice=key):
            container, key_value = evaluate(run, inner), evaluate(run, key)
            options = list_options(container)
            for option in options:
                contents.store_item(run, option, key_value, value, sure=len(options) == 1)


def _unpack(run: Interpreter, parts: list[ast.expr], value: Value) -> None:
    star = next((i for i, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
    items = contents.iterate(run, value)
    is_opaque = isinstance(value, Ref) and run.store.things[value.number].kind == "opaque"
    is_opaque = is_opaque and not contents.is_named_tuple(run, value)
    for i, part in enumerate(parts):
        if star is not None and i == star:
            after = len(parts) - star - 1
            some = items.values[star : len(items.values) - after]
            assign(run, part, run.store.add(Thing("list"), Items(some, items.rest)))
            continue
        index = i if star is None or i < star else i - len(parts)
        if is_opaque:
            assign(run, part, contents.read_item(run, value, contents.make_const(index)))
        elif items.rest is None and -len(items.values) <= index < len(items.values):
            assign(run, part, items.values[index])
        else:
            everything = [v for v in (*items.values, items.rest) if v is not None]
            assign(run, part, run.unknown(*everything) if items.rest is None else join(*everything))


def extend_in_place(run: Interpreter, was: Value, op: ast.operator, more: Value) -> Value | None:
    """`rows += more`, `row |= more`: the same object, with more in it. None for anything else."""
    if not isinstance(was, Ref):
        return None
    content = run.store.inside(was)
    kind = run.store.things[was.number].kind
    if isinstance(op, ast.Add) and isinstance(content, Items) and kind == "list":
        added = contents.iterate(run, more)
        rest = [v for v in (content.rest, added.rest) if v is not None]
        run.store.write(was.number, INSIDE, Items((*content.values, *added.values), join(*rest) if rest else None))
        return was
    if isinstance(op, ast.BitOr) and isinstance(content, Fields):
        contents.update_mapping(run, was, more)
        return was
    return None


# ---- operators


def operate(run: Interpreter, op: ast.AST, left: Value, right: Value) -> Value:
    """`left op right`."""
    if isinstance(op, ast.BitOr) and all(contents.read_mapping(run, side) is not None for side in (left, right)):
        return run.store.add(Thing("dict"), contents.merge_mappings(run, [left, right]))
    if isinstance(op, ast.Add) and isinstance(left, Ref) and isinstance(right, Ref):
        sides = run.store.inside(left), run.store.inside(right)
        if isinstance(sides[0], Items) and isinstance(sides[1], Items):
            rest = [s.rest for s in sides if isinstance(s, Items) and s.rest is not None]
            kind = run.store.things[left.number].kind
            both = Items((*sides[0].values, *sides[1].values), join(*rest) if rest else None)
            return run.store.add(Thing(kind), both)
    if isinstance(op, ast.BitAnd | ast.BitOr | ast.Sub) and (sets := _list_literals(run, left, right)) is not None:
        return run.store.add(Thing("list"), Items(_combine(op, *sets)))
    literals = contents.read_const(left), contents.read_const(right)
    if MISSING not in literals and type(op) in _OPERATORS:
        if isinstance(op, ast.Mult) and any(isinstance(v, int) and v > 1_000 for v in literals):
            return NOTHING_KNOWN
        return contents.compute(lambda: _OPERATORS[type(op)](*literals))
    return run.unknown(left, right)


def _list_literals(run: Interpreter, *sides: Value) -> list[tuple[Value, ...]] | None:
    """The elements of two sets, where both hold nothing but literals."""
    contents = [run.store.inside(side) if isinstance(side, Ref) else None for side in sides]
    some = [c.values for c in contents if isinstance(c, Items) and c.rest is None]
    return some if len(some) == len(sides) and all(isinstance(v, Const) for v in (*some[0], *some[1])) else None


def _combine(op: ast.AST, left: tuple[Value, ...], right: tuple[Value, ...]) -> tuple[Value, ...]:
    if isinstance(op, ast.BitOr):
        return tuple(dict.fromkeys((*left, *right)))
    return tuple(value for value in left if (value in right) == isinstance(op, ast.BitAnd))


def _evaluate_compare(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Compare)
    values = [evaluate(run, node.left), *(evaluate(run, c) for c in node.comparators)]
    if len(values) == 2 and values[1] == NONE and all(contents.is_never_none(run, o) for o in list_options(values[0])):
        if isinstance(node.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
            return contents.make_const(isinstance(node.ops[0], ast.IsNot | ast.NotEq))
    elif len(values) == 2:
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(values[1], Ref):
            keys = contents.list_keys(run, values[1])
            literal = contents.read_const(values[0])
            content = run.store.inside(values[1])
            if (
                isinstance(content, Items)
                and content.rest is None
                and all(isinstance(v, Const) for v in content.values)
            ):
                keys = [contents.read_const(v) for v in content.values]
            is_opaque = isinstance(content, Fields) and bool(content.bases)
            if keys is not None and literal is not MISSING and not is_opaque:
                return contents.make_const((literal in keys) == isinstance(node.ops[0], ast.In))
            return run.unknown(*values)
        return operate(run, node.ops[0], *values)
    return run.unknown(*values)


def _evaluate_bool(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.BoolOp)
    stops_at = isinstance(node.op, ast.Or)
    results: list[Value] = []
    is_sure = True
    for part in node.values:
        with run.enter(guarded=not is_sure):
            value = evaluate(run, part)
        truth = contents.is_true(run, value)
        if truth is stops_at:
            results.append(value)
            break
        if truth is None:
            results.append(value)
            is_sure = False
        elif part is node.values[-1]:
            results.append(value)
    return join(*results)


def _evaluate_if(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.IfExp)
    truth = decide(run, node.test)
    if truth is not None:
        return evaluate(run, node.body if truth else node.orelse)
    results: list[Value] = []

    def take(part: ast.expr) -> str:
        results.append(evaluate(run, part))
        return "normal"

    run.run_both([lambda: take(node.body), lambda: take(node.orelse)])
    return join(*results)


def _evaluate_unary(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.UnaryOp)
    value = evaluate(run, node.operand)
    if isinstance(node.op, ast.Not):
        truth = contents.is_true(run, value)
        return contents.make_const(not truth) if truth is not None else run.unknown(value)
    literal = contents.read_const(value)
    if isinstance(node.op, ast.USub) and isinstance(literal, int | float):
        return contents.make_const(-literal)
    return run.unknown(value)


def _evaluate_text(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.JoinedStr)
    parts: list[Value] = []
    for part in node.values:
        is_plain = isinstance(part, ast.FormattedValue) and part.format_spec is None and part.conversion == -1
        parts.append(evaluate(run, part.value) if isinstance(part, ast.FormattedValue) else evaluate(run, part))
        if run.observer is not None:
            run.observer.see_outside(run, "a text", Arguments(parts[-1:]))
        if isinstance(part, ast.FormattedValue) and not is_plain:
            parts.append(NOTHING_KNOWN)
    literals = [contents.read_const(part) for part in parts]
    return contents.make_const("".join(map(str, literals))) if MISSING not in literals else run.unknown(*parts)


# ---- building


def _evaluate_dict(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Dict)
    parts: list[Fields | Value] = []
    for key, value in zip(node.keys, node.values, strict=True):
        inner = evaluate(run, value)
        if key is None:
            parts.append(inner)
            continue
        keys = list_options(evaluate(run, key))
        literal = contents.read_key(keys[0]) if len(keys) == 1 else MISSING
        parts.append(Fields({literal: inner}) if literal is not MISSING else Fields(rest=run.unknown(inner)))
    return run.store.add(Thing("dict"), contents.merge_mappings(run, parts))


def _evaluate_sequence(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.List | ast.Tuple | ast.Set)
    values: list[Value] = []
    rests: list[Value] = []
    for part in node.elts:
        value = evaluate(run, part)
        if isinstance(part, ast.Starred):
            items = contents.iterate(run, value)
            values += items.values
            rests += [items.rest] if items.rest is not None else []
        elif rests:
            rests.append(value)
        else:
            values.append(value)
    kind = "tuple" if isinstance(node, ast.Tuple) else "list"
    return run.store.add(Thing(kind), Items(tuple(values), join(*rests) if rests else None))


def _evaluate_comprehension(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp)

    frame = run.frame
    number = run.store.add(Thing("frame")).number
    around = frame.around if frame.cls else (frame.number, *frame.around)
    inner = Frame(number, frame.path, around, function=frame.function, outer_names=frame.outer_names, line=node.lineno)
    result = run.store.add(
        Thing("dict" if isinstance(node, ast.DictComp) else "list"),
        Fields() if isinstance(node, ast.DictComp) else Items(),
    )
    was, run.frames = run.guarded, [*run.frames, inner]

    def add() -> str:
        if isinstance(node, ast.DictComp):
            key, value = evaluate(run, node.key), evaluate(run, node.value)
            contents.store_item(run, result, key, value)
        else:
            contents.append(run, result, evaluate(run, node.elt))
        return "normal"

    def go(left: list[ast.comprehension]) -> str:
        if not left:
            return add()
        first, *more = left
        if first is node.generators[0]:
            run.frames = run.frames[:-1]
            elements = contents.iterate(run, evaluate(run, first.iter))
            run.frames = [*run.frames, inner]
        else:
            elements = contents.iterate(run, evaluate(run, first.iter))

        def take(element: Value) -> str:
            assign(run, first.target, element)
            for test in first.ifs:
                truth = decide(run, test)
                if truth is False:
                    return "normal"
                if truth is None:
                    return run.run_both([lambda: go(more), lambda: "normal"])
            return go(more)

        return run.run_loop(take, elements)

    go(node.generators)
    run.guarded, run.frames = was, run.frames[:-1]
    return result


def is_certain(run: Interpreter, pattern: ast.pattern, subject: Value) -> bool:
    """Whether a `case` takes whatever comes: a name alone, or keys that a contract promises."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=inner) if inner is not None:
            return is_certain(run, inner, subject)
        case ast.MatchMapping(keys=keys, patterns=patterns) if isinstance(subject, Ref):
            is_opaque = run.store.things[subject.number].kind == "opaque" and run.observer is not None
            sure = run.observer.list_names(run, subject.number, True) if is_opaque and run.observer else None
            names = [key.value if isinstance(key, ast.Constant) else None for key in keys]
            plain = all(isinstance(inner, ast.MatchAs) and _is_of_a_type(inner.pattern) for inner in patterns)
            return plain and sure is not None and {*names} <= {*sure}
    return False


def _is_of_a_type(pattern: ast.pattern | None) -> bool:
    """A name alone, or with the type that a contract promises anyway: `int() as n`."""
    match pattern:
        case None | ast.MatchClass(cls=ast.Name(id="int" | "str" | "float" | "bool"), patterns=[], kwd_patterns=[]):
            return True
    return False


def bind_pattern(run: Interpreter, pattern: ast.pattern, subject: Value) -> None:
    """Bind the names of a `case`."""
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                bind_pattern(run, inner, subject)
            if name:
                run.bind_name(name, subject)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
            for key, inner in zip(keys, patterns, strict=True):
                bind_pattern(run, inner, contents.read_item(run, subject, evaluate(run, key)))
            if rest:
                run.bind_name(rest, run.unknown(subject))
        case ast.MatchOr(patterns=patterns):
            for inner in patterns:
                bind_pattern(run, inner, subject)
        case ast.MatchSequence(patterns=patterns):
            for i, inner in enumerate(patterns):
                bind_pattern(run, inner, contents.read_item(run, subject, contents.make_const(i)))
        case ast.MatchClass(patterns=[], kwd_attrs=[]):
            return
        case ast.MatchClass(patterns=patterns, kwd_attrs=names, kwd_patterns=named):
            for inner in patterns:
                bind_pattern(run, inner, run.unknown(subject))
            for name, inner in zip(names, named, strict=True):
                bind_pattern(run, inner, contents.read_attribute(run, subject, name))


# ---- the rest


def _evaluate_name(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Name)
    return run.read_name(node.id)


def _evaluate_named(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.NamedExpr)
    value = evaluate(run, node.value)
    run.bind_name(node.target.id, value)
    return value


def _evaluate_attribute(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Attribute)
    owner = evaluate(run, node.value)
    value = contents.read_attribute(run, owner, node.attr)
    if run.observer is not None:
        run.observer.see_read(run, owner, node.attr, value)
    run.escaped.update(option.node for option in list_options(value) if isinstance(option, Function))
    return join(*(_settle(run, option, node.attr) for option in list_options(value)))


def _settle(run: Interpreter, value: Value, name: str) -> Value:
    """A part of an opaque object whose name a method has as well: where it is read and not called, it is the part."""
    if isinstance(value, Bound) and isinstance(value.receiver, Ref) and value.function == Unknown(f"opaque.{name}"):
        names = run.observer.list_names(run, value.receiver.number) if run.observer is not None else None
        if names is not None and name in names:
            return contents.read_item(run, value.receiver, contents.make_const(name))
    return value


def _evaluate_subscript(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Subscript)
    container = evaluate(run, node.value)
    if isinstance(node.slice, ast.Slice):
        return _slice(run, container, node.slice)
    if isinstance(container, Ref) and run.store.things[container.number].kind == "class":
        return container  # `Box[int]`
    return contents.read_item(run, container, evaluate(run, node.slice))


def _slice(run: Interpreter, container: Value, node: ast.Slice) -> Value:
    bounds = [
        contents.read_const(evaluate(run, b)) if b is not None else None for b in (node.lower, node.upper, node.step)
    ]
    whole = [b for b in bounds if b is None or isinstance(b, int)]
    part = slice(*whole) if len(whole) == len(bounds) else None
    if isinstance(container, Const):
        text = container.value
        return contents.make_const(text[part]) if part is not None and isinstance(text, str) else NOTHING_KNOWN
    items = contents.iterate(run, container)
    if items.rest is None and part is not None and part.step != 0:
        return run.store.add(Thing("list"), Items(items.values[part]))
    everything = [v for v in (*items.values, items.rest) if v is not None]
    return run.store.add(Thing("list"), Items((), join(*everything)))


def _evaluate_call(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Call)

    return run.call_node(node)


def _evaluate_lambda(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Lambda)
    return run.make_function(node)


def _evaluate_await(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Await)

    return resolve_future(run, evaluate(run, node.value))


def _evaluate_yield(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Yield | ast.YieldFrom)
    value = evaluate(run, node.value)
    items = Items((value,)) if isinstance(node, ast.Yield) else contents.iterate(run, value)
    frame = next(f for f in reversed(run.frames))
    if run.guarded or len(frame.yields) > 50:
        everything = [v for v in (frame.yielded, *items.values, items.rest) if v is not None]
        frame.yielded = join(*everything) if everything else frame.yielded
    else:
        frame.yields += items.values
        frame.yielded = items.rest if frame.yielded is None else join(frame.yielded, items.rest)
    return NOTHING_KNOWN


def _evaluate_constant(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Constant)
    if isinstance(node.value, str) and (named := _NAMED.fullmatch(node.value)) is not None:
        run.words.add(named[1])
    return contents.make_const(node.value)


def _evaluate_binary(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.BinOp)
    return operate(run, node.op, evaluate(run, node.left), evaluate(run, node.right))


def _evaluate_starred(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Starred)
    return evaluate(run, node.value)


_EXPRESSIONS: dict[type[ast.expr], Callable[[Interpreter, ast.expr], Value]] = {
    ast.Constant: _evaluate_constant,
    ast.Name: _evaluate_name,
    ast.NamedExpr: _evaluate_named,
    ast.Attribute: _evaluate_attribute,
    ast.Subscript: _evaluate_subscript,
    ast.Call: _evaluate_call,
    ast.Lambda: _evaluate_lambda,
    ast.Await: _evaluate_await,
    ast.Yield: _evaluate_yield,
    ast.YieldFrom: _evaluate_yield,
    ast.Starred: _evaluate_starred,
    ast.Dict: _evaluate_dict,
    ast.List: _evaluate_sequence,
    ast.Tuple: _evaluate_sequence,
    ast.Set: _evaluate_sequence,
    ast.ListComp: _evaluate_comprehension,
    ast.SetComp: _evaluate_comprehension,
    ast.GeneratorExp: _evaluate_comprehension,
    ast.DictComp: _evaluate_comprehension,
    ast.Compare: _evaluate_compare,
    ast.BoolOp: _evaluate_bool,
    ast.IfExp: _evaluate_if,
    ast.UnaryOp: _evaluate_unary,
    ast.BinOp: _evaluate_binary,
    ast.JoinedStr: _evaluate_text,
}


def spread(run: Interpreter, args: Arguments, value: Value) -> None:
    """`**value`: its keys one by one where they are known."""
    keys = contents.list_keys(run, value) if not isinstance(value, Choice) else None
    if keys is None:
        args.spreads.append(value)
        return
    for key in keys:
        args.keywords[str(key)] = contents.read_item(run, value, contents.make_const(key))


def resolve_future(run: Interpreter, value: Value) -> Value:
    """What a future comes to."""
    results: list[Value] = []
    for option in list_options(value):
        results.append(option.parts[0] if isinstance(option, Made) and option.kind == "future" else option)
    return join(*results)
