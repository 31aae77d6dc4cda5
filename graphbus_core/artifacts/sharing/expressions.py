"""What an expression may stand for."""

from __future__ import annotations

import ast
import builtins
import re
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing import standard_objects
from graphbus_core.artifacts.sharing.events import NONE, RENEWING, meet
from graphbus_core.artifacts.sharing.keys import (
    DICT,
    LIST,
    TUPLE,
    check_identity,
    check_index,
    check_operator,
    refuse_kinds,
)
from graphbus_core.artifacts.sharing.library import LOG_WRITING, SIMPLE_BASES, is_constant
from graphbus_core.artifacts.sharing.paths import is_temporary, join_path
from graphbus_core.artifacts.sharing.protocols import BINARY, COMPARING, ITERATION, KEYING, TEXTS, TRUTH, UNARY
from graphbus_core.artifacts.sharing.values import (
    DATE,
    FLAG,
    INDEX,
    KEY,
    KEYS,
    MOMENT,
    NOTHING,
    PLAIN,
    SPAN,
    TEXT,
    WHOLE,
    ClassScope,
    FunctionValue,
    Immutable,
    Outside,
    Scope,
    Site,
    Value,
    is_plain,
    join,
)

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

Names = dict[str, Value]
_BUILTINS = frozenset(dir(builtins))
_WHOLE: Value = frozenset((WHOLE,))
_TEXT: Value = frozenset((TEXT,))
_INTS: Value = frozenset((WHOLE, FLAG, INDEX))  # what is reckoned from these is no bool
_MAKES_OTHERS = (ast.Div, ast.Pow, ast.MatMult, ast.BitAnd, ast.BitOr, ast.BitXor)
_FLAG: Value = frozenset((FLAG,))
_ISINSTANCE: Value = frozenset((Outside("builtins.isinstance"),))
_DATE: Value = frozenset((DATE,))
_SPAN: Value = frozenset((SPAN,))
_MOMENT: Value = frozenset((MOMENT,))
_TEXTS_AND_NUMBERS: Value = frozenset((TEXT, WHOLE))
_KINDS: dict[type, Value] = {
    int: frozenset((WHOLE,)),
    bool: _FLAG,
    **dict.fromkeys((str, bytes, type(None)), frozenset((TEXT,))),
}


def read_expression(engine: Engine, node: ast.expr, names: Names, scope: Scope) -> Value:
    """Follow an expression; what it may stand for."""
    value = _read(engine, node, names, scope)
    engine.see(value, node)
    for atom in value if engine.handling else ():
        if isinstance(atom, Outside) and not is_constant(atom.name) and standard_objects.is_kept(atom.name):
            engine.note(f"reads {atom.name}, which is not read", node, of=())
    return value


def read_callee(engine: Engine, node: ast.expr, names: Names, scope: Scope) -> Value:
    """The same, of what is called, or stands in an `except`: what it is, is asked there."""
    value = _read(engine, node, names, scope)
    engine.see(value, node)
    return value


def _read(engine: Engine, node: ast.expr, names: Names, scope: Scope) -> Value:
    match node:
        case ast.Constant(value=constant):
            return _KINDS.get(type(constant), PLAIN)
        case ast.Slice():
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    engine.objects.operate([read_expression(engine, part, names, scope)], part, KEYING)
            return PLAIN
        case ast.Name(id=name):
            return _look_up(engine, name, names, scope, node)
        case ast.Attribute(value=owner, attr=name):
            with engine.taking_out(owner):
                value = read_expression(engine, owner, names, scope)
            return engine.objects.get_attribute(value, name, node)
        case ast.Call():
            return read_call(engine, node, names, scope)
        case ast.Await(value=inner):
            if isinstance(inner, ast.Call):
                return read_call(engine, inner, names, scope, awaited=True)
            value = read_expression(engine, inner, names, scope)
            engine.objects.implicit.test(value, node, ITERATION)
            coroutines = frozenset(a for a in value if isinstance(a, Site) and a.kind == "iterator")
            outcome = engine.objects.iterate(coroutines, node) if coroutines else NOTHING
            return join(value - coroutines, outcome) or PLAIN
        case ast.Subscript(value=owner, slice=index):
            keys = read_expression(engine, index, names, scope)
            with engine.taking_out(owner):
                value = read_expression(engine, owner, names, scope)
            check_index(engine, value, keys, node)
            return engine.objects.get_item(value, keys, node, isinstance(index, ast.Slice))
        case ast.Lambda():
            return engine.statements.define_lambda(node, names, scope)
        case ast.NamedExpr(target=target, value=inner):
            value = read_expression(engine, inner, names, scope)
            engine.statements.assign(target, value, names, scope)
            return value
        case ast.Yield(value=given):
            value = read_expression(engine, given, names, scope) if given is not None else PLAIN
            _give_out(engine, value)
            engine.attributes.give_way()
            return frozenset((engine.make(node, "data", PLAIN),))
        case ast.YieldFrom(value=source):
            value = engine.objects.iterate(read_expression(engine, source, names, scope), node)
            _give_out(engine, value)
            engine.attributes.give_way()
            return PLAIN
    return _read_constructed(engine, node, names, scope)


def _read_constructed(engine: Engine, node: ast.expr, names: Names, scope: Scope) -> Value:
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            items = [_read_element(engine, part, names, scope) for part in parts]
            if isinstance(node, ast.Set):
                engine.objects.operate(items, node, KEYING)
            if isinstance(node, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in parts):
                return frozenset((engine.make_tuple(node, items),))
            site = engine.make(node, "container", join(*items))
            site.made_by = {ast.List: LIST, ast.Tuple: TUPLE}.get(type(node), "")
            return frozenset((site,))
        case ast.Dict(keys=keys, values=values):
            items = [read_expression(engine, key, names, scope) for key in keys if key is not None]
            engine.objects.operate(items, node, KEYING)
            site = engine.make(node, "container", PLAIN)
            site.made_by = DICT
            engine.fresh[site] = node
            site.is_filled = site.is_filled or bool(values)
            engine.put(site, join(*items) - PLAIN, KEYS)
            _fill_dict(engine, site, node, names, scope)
            return frozenset((site,))
        case ast.ListComp(elt=element) | ast.SetComp(elt=element):
            items = _read_comprehension(engine, node.generators, [element], names, scope)
            if isinstance(node, ast.SetComp):
                engine.objects.operate(items, node, KEYING)
            return frozenset((engine.make(node, "container", join(*items) or PLAIN),))
        case ast.DictComp(key=key, value=value):
            keyed, read = _read_comprehension(engine, node.generators, [key, value], names, scope)
            engine.objects.operate([keyed], node, KEYING)
            site = engine.make(node, "container", PLAIN)
            site.made_by = DICT
            engine.put(site, keyed - PLAIN, KEYS)
            engine.put_value(site, read)
            return frozenset((site,))
        case ast.GeneratorExp(elt=element):
            items = _read_comprehension(engine, node.generators, [element], names, scope)
            return frozenset((engine.make(node, "iterator", join(*items) or PLAIN),))
    return _read_computed(engine, node, names, scope)


def _fill_dict(engine: Engine, site: Site, node: ast.Dict, names: Names, scope: Scope) -> None:
    """What stands in a dict that is written so: a key takes the place of the same one before it."""
    placed: dict[str, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        read = read_expression(engine, value, names, scope)
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            placed[key.value] = read
        elif key is not None:
            engine.put_value(site, read)
        elif all(isinstance(a, Immutable) or (isinstance(a, Site) and a.made_by == DICT) for a in read):
            for atom in (a for a in read if isinstance(a, Site)):
                placed |= {name: join(placed.get(name, NOTHING), v) for name, v in atom.keyed.items()}
                engine.put(site, join(atom.fields.get(KEYS, ())), KEYS)
                engine.put_value(site, frozenset(atom.loose))
        else:
            engine.objects.implicit.use(read, value)  # its `keys()`
            engine.put(site, join(engine.objects.iterate(read, value), engine.objects.get_elements(read)))
    for name, values in placed.items():
        engine.put_at(site, ast.Constant(name), values)


def _read_computed(engine: Engine, node: ast.expr, names: Names, scope: Scope) -> Value:
    match node:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            engine.objects.implicit.test(read_expression(engine, test, names, scope), test, TRUTH)
            ways = ((body, True), (orelse, False))
            known = [_narrow(engine, [test], part, names, scope, is_true=is_true) for part, is_true in ways]
            with engine.attributes.perhaps():
                return join(*(read_expression(engine, *way, scope) for way in zip((body, orelse), known, strict=True)))
        case ast.BoolOp(op=op, values=values):
            read = [read_expression(engine, values[0], names, scope)]
            with engine.attributes.perhaps():
                for place, later in enumerate(values[1:], 1):
                    seen = _narrow(engine, values[:place], later, names, scope, is_true=isinstance(op, ast.And))
                    read.append(read_expression(engine, later, seen, scope))
            engine.objects.implicit.test(join(*read[:-1]), node, TRUTH)
            return join(*read)
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [read_expression(engine, side, names, scope) for side in (left, others[0])]
            with engine.attributes.perhaps():  # `a < b < c` asks for c where a < b
                sides += [read_expression(engine, side, names, scope) for side in others[1:]]
            if not all(isinstance(op, ast.Is | ast.IsNot) for op in ops):
                if len(sides) == 2:
                    _operate_on_both(engine, sides[0], sides[1], node, COMPARING)
                else:
                    engine.objects.operate(sides, node, COMPARING)
            else:
                check_identity(engine, sides, node)
                return _FLAG
            return _FLAG if all(map(is_plain, sides)) else PLAIN
        case ast.BinOp(left=left, right=right):
            sides = [read_expression(engine, side, names, scope) for side in (left, right)]
            return _read_binary(engine, node, sides)
        case ast.UnaryOp(op=op, operand=operand):
            value = read_expression(engine, operand, names, scope)
            if isinstance(op, ast.Not):
                engine.objects.implicit.test(value, node, TRUTH)
                return _FLAG
            if isinstance(op, ast.Invert):
                refuse_kinds(engine, value, node, takes_index=True)
            result = engine.objects.operate([value], node, UNARY)
            return _WHOLE if value <= _INTS else result
        case ast.JoinedStr() | ast.FormattedValue():
            return _read_text(engine, node, names, scope)
        case ast.Starred(value=inner):
            return engine.objects.iterate(read_expression(engine, inner, names, scope), node)
    engine.note(f"has an expression that is not read, {type(node).__name__}", node)
    return PLAIN


def _read_text(engine: Engine, node: ast.JoinedStr | ast.FormattedValue, names: Names, scope: Scope) -> Value:
    """An f-string, or a place in one."""
    keys = NOTHING
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr):
            filled = read_expression(engine, part, names, scope)
            is_open = part in engine.open_texts if isinstance(node, ast.JoinedStr) else not filled <= _INTS
            if isinstance(node, ast.FormattedValue) and part is node.format_spec:
                is_open = not _pads_alone(part)
            if is_open and not isinstance(part, ast.Constant):
                engine.changes += node not in engine.open_texts
                engine.open_texts.add(node)
            engine.objects.operate([filled], part, TEXTS)
            if isinstance(node, ast.FormattedValue):
                refuse_kinds(engine, filled, part)
            keys = join(keys, filled & {KEY, INDEX})
    return join(frozenset((TEXT,)), keys)


def _pads_alone(spec: ast.expr) -> bool:
    """Whether a number that is written so is digits and blanks."""
    parts = spec.values if isinstance(spec, ast.JoinedStr) else []
    return all(isinstance(p, ast.Constant) and re.fullmatch(r"0?\d*[dxXob]?", str(p.value)) for p in parts)


def _read_binary(engine: Engine, node: ast.BinOp, sides: list[Value]) -> Value:
    left, right = sides
    if isinstance(node.op, ast.Div) and is_temporary(left):
        return join_path(engine, sides, [node.left, node.right], node)
    check_operator(engine, node, left, right)
    if isinstance(node.op, ast.Mod):
        engine.objects.implicit.look_up(right, node)
    result = _operate_on_both(engine, left, right, node, BINARY[type(node.op)])
    if (kind := find_kind(node.op, left, right)) is not None:
        return kind
    if isinstance(node.op, ast.Mult | ast.Add) and _are_lists(left) and (is_plain(right) or _are_lists(right)):
        product = engine.make((node, LIST), "container", engine.objects.get_elements(left | right))
        product.made_by = LIST  # a new one, whatever stands in it
        return frozenset((product,))
    return result


def _operate_on_both(engine: Engine, left: Value, right: Value, node: ast.AST, names: tuple[str, ...]) -> Value:
    """Each side is asked, and given the other one."""
    operate = engine.objects.operate
    return join(operate([left], node, names, right), operate([right], node, names, left))


def _narrow(
    engine: Engine, tests: list[ast.expr], read: ast.expr, names: Names, scope: Scope, *, is_true: bool
) -> Names:
    """The names that `read` sees, all of the tests before it being true, or all false."""
    if any(isinstance(part, ast.NamedExpr) for node in (*tests, read) for part in ast.walk(node)):
        return names  # it binds names
    narrowed = names
    for test in tests:
        narrowed = {**narrowed, **find_others(engine, test, narrowed, scope, is_true=is_true)}
    return narrowed


def find_others(engine: Engine, test: ast.expr, names: Names, scope: Scope, *, is_true: bool) -> Names:
    """What a local name may stand for where a test says whether it is of a class of the project."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return find_others(engine, inner, names, scope, is_true=not is_true)
        case ast.Call(
            func=ast.Name(id="isinstance") as called, args=[ast.Name(id=name), ast.Name() as kind], keywords=[]
        ) if name in names and name not in scope.global_names | scope.outer_names:
            if engine.statements.read(called, names, scope) != _ISINSTANCE:
                return {}
            classes = engine.statements.read(kind, names, scope)
        case _:
            return {}
    if len(classes) != 1 or not isinstance(cls := next(iter(classes)), ClassScope):
        return {}
    if not SIMPLE_BASES.issuperset(cls.list_outside()):
        return {}  # its metaclass may say otherwise
    value = names[name]
    known = frozenset(a for a in value if isinstance(a, Site) and a.kind == "instance" and a.cls)
    of_it = frozenset(a for a in known if a.cls and cls in a.cls.lineage())
    if is_true:  # numbers and texts are none of it; other objects may say of themselves that they are
        others = value if not of_it else frozenset(a for a in value if not isinstance(a, Immutable))
    else:
        others = value - of_it
    return {name: others or PLAIN} if others != value else {}


def find_kind(op: ast.operator, left: Value, right: Value) -> Value | None:
    """What is known of what an operator gives for numbers, texts and days."""
    if left <= _TEXT and right <= _TEXT:
        return _TEXT
    if left <= _INTS and right <= _INTS and not isinstance(op, _MAKES_OTHERS):
        return _WHOLE
    if left <= _WHOLE and right <= _WHOLE and isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return _WHOLE
    if right <= _SPAN and isinstance(op, ast.Add | ast.Sub):
        return next((kind for kind in (_DATE, _MOMENT, _SPAN) if left <= kind), None)
    if isinstance(op, ast.Sub) and any(left <= kind and right <= kind for kind in (_DATE, _MOMENT)):
        return _SPAN
    return None


def _are_lists(value: Value) -> bool:
    return bool(value) and all(isinstance(a, Site) and a.kind == "container" and a.made_by == LIST for a in value)


def _read_element(engine: Engine, node: ast.expr, names: Names, scope: Scope) -> Value:
    return read_expression(engine, node, names, scope)  # a star gives what is in it


def _read_comprehension(
    engine: Engine, generators: list[ast.comprehension], results: list[ast.expr], names: Names, scope: Scope
) -> list[Value]:
    """What each of its results may be. Its own names hide those around it; a walrus binds around it."""
    with engine.repeating(), engine.attributes.perhaps():
        return _follow_comprehension(engine, generators, results, names, scope)


def _follow_comprehension(
    engine: Engine, generators: list[ast.comprehension], results: list[ast.expr], names: Names, scope: Scope
) -> list[Value]:
    inner = dict(names)
    if scope.ever is scope.module.names:  # its own names are none of the module
        scope = engine.get_scope((generators[0], scope.module), scope.module)
    for generator in generators:
        elements = engine.objects.iterate(read_expression(engine, generator.iter, inner, scope), generator.iter)
        engine.statements.assign(generator.target, elements, inner, scope)
        for test in generator.ifs:
            engine.objects.implicit.test(read_expression(engine, test, inner, scope), test, TRUTH)
    read = [read_expression(engine, result, inner, scope) for result in results]
    for generator in generators:
        for part in ast.walk(generator):
            if isinstance(part, ast.NamedExpr) and isinstance(part.target, ast.Name):
                names[part.target.id] = join(names.get(part.target.id, NOTHING), inner[part.target.id])
    for result in results:
        for part in ast.walk(result):
            if isinstance(part, ast.NamedExpr) and isinstance(part.target, ast.Name) and part.target.id in inner:
                names[part.target.id] = join(names.get(part.target.id, NOTHING), inner[part.target.id])
    return read


def _give_out(engine: Engine, value: Value) -> None:
    activation = engine.stack[-1]
    before = len(activation.yields)
    activation.yields |= value or PLAIN
    engine.changes += len(activation.yields) != before


def _look_up(engine: Engine, name: str, names: Names, scope: Scope, node: ast.expr) -> Value:
    if name in scope.global_names or name not in names:
        engine.memos.see_slot(scope.module, name)
    if name in scope.global_names:
        value = scope.module.names.get(name)
    elif name in names:
        return names[name]
    else:
        value = _look_up_around(engine, name, scope)
    if value is not None:
        return value
    if name in _BUILTINS or name in ("__name__", "__file__", "__doc__", "__package__"):
        return engine.objects.get_builtin(name)
    engine.note(f"uses {name}, which is not read", node)
    return engine.make_unknown(node, name)


def _look_up_around(engine: Engine, name: str, scope: Scope) -> Value | None:
    around: Scope | None = scope
    while around is not None:
        if name in around.ever:
            if engine.handling and around is not scope and around.lasting:
                engine.trace.slots.add((around, name))
            return around.ever[name]
        around = around.parent
    return scope.module.names.get(name)


def read_call(engine: Engine, node: ast.Call, names: Names, scope: Scope, *, awaited: bool = False) -> Value:
    """Follow a call, after its arguments."""
    objects = engine.objects
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and "super" not in names:
        return objects.get_super(names)
    if isinstance(node.func, ast.Attribute):
        is_renewing = node.func.attr in RENEWING and not node.keywords
        is_writing = node.func.attr in LOG_WRITING
        is_asked = is_renewing or is_writing
        with engine.asking(node.func.value) if is_asked else engine.taking_out(node.func.value):
            owner = read_expression(engine, node.func.value, names, scope)
        if is_writing:
            engine.see(atom for atom in owner if not isinstance(atom, Site) or atom.kind != "log")
        if is_renewing:
            given = [read_expression(engine, argument, names, scope) for argument in node.args]
            if engine.attributes.renew(owner, node.func.attr, given, node):
                return PLAIN
            engine.see(owner)
        callee = objects.get_attribute(owner, node.func.attr, node.func, called=True)
    else:
        owner, callee = NOTHING, read_callee(engine, node.func, names, scope)
    engine.see(callee)
    arguments: list[Value] = []
    rest: Value = NOTHING
    for argument in node.args:
        value = read_expression(engine, argument, names, scope)
        if rest or isinstance(argument, ast.Starred):  # where it goes is not known
            rest = join(rest, value or PLAIN)
        else:
            arguments.append(value)
    named: dict[str, Value] = {}
    for keyword in node.keywords:
        value = read_expression(engine, keyword.value, names, scope)
        if keyword.arg is None:
            objects.implicit.use(value, keyword.value)
            rest = join(rest, objects.iterate(value, keyword.value), objects.get_elements(value)) or PLAIN
        else:
            named[keyword.arg] = value
    if is_plain(callee) and not (isinstance(node.func, ast.Attribute) and owner and owner <= _TEXTS_AND_NUMBERS):
        engine.note(f"calls {describe(node.func)}, which is not read", node)
    result = NOTHING
    added = []
    for atom in callee:
        if not engine.handling and not awaited and _is_coroutine(atom):
            engine.escape(frozenset((atom,)))  # a task of it goes on after the set up
            outcome = objects.call_atom(atom, arguments, named, rest, node)
            coroutine = engine.make((node, "coroutine"), "iterator", outcome, label="a coroutine that was made once")
            result = join(result, frozenset((coroutine,)))
        else:
            result = join(result, objects.call_atom(atom, arguments, named, rest, node))
        added.append(engine.attributes.added if isinstance(atom, FunctionValue) else NONE)
    engine.attributes.set_now |= meet(added) if not awaited else NONE
    return result or PLAIN


def _is_coroutine(atom: object) -> bool:
    return isinstance(atom, FunctionValue) and isinstance(atom.node, ast.AsyncFunctionDef)


def describe(node: ast.AST) -> str:
    """A piece of source, short enough for a message."""
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= 40 else f"{text[:39]}…"
