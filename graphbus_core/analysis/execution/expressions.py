"""What each kind of expression gives, and what an assignment stores: values go on as they are, or become unknown."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from graphbus_core.analysis.execution.state import (
    BASE,
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
    is_value,
    iter_present,
    join,
    join_fields,
    list_options,
)

if TYPE_CHECKING:
    from graphbus_core.analysis.execution.interpreter import Interpreter

_NAMED = re.compile(r"(?:[\w.]*[.:])?(\w+)(?:\(\))?")  # a function in text: `jobs.run`, `jobs:run()`
_WITHOUT_LENGTH = frozenset(
    """GraphBusNode object Generic ABC Protocol BaseModel Struct Exception ValueError RuntimeError""".split()  # noqa: SIM905
)
LONGEST_TEXT = 2_000  # of what is computed from literals
FILLING = "defaultdict"  # a mapping that makes what it is asked for
MAPPING_METHODS = frozenset(
    """get pop setdefault items keys values update copy model_dump dict _asdict _replace""".split()  # noqa: SIM905
)
LIST_METHODS = frozenset(
    """append extend insert pop copy remove sort reverse clear index count popleft appendleft""".split()  # noqa: SIM905
)
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


def make_const(value: object) -> Value:
    """A literal, as far as one is kept; a key that is only itself."""
    if isinstance(value, Made):
        return value
    if value is None or isinstance(value, str | bytes | int | float | bool | complex):
        return (
            Const(value, type(value).__name__) if not isinstance(value, str) or len(value) < LONGEST_TEXT else Unknown()
        )
    return NOTHING_KNOWN


def read_key(value: Value) -> object:
    """What tells a key of a mapping from others: a literal, or a future, which is only itself."""
    return value if isinstance(value, Made) and value.kind == "future" else read_const(value)


def read_const(value: Value) -> object:
    """The literal that a value is; `MISSING` for any other."""
    return value.value if isinstance(value, Const) else MISSING


def decide(run: Interpreter, node: ast.expr) -> bool | None:
    """Whether a condition holds; None where nobody can tell."""
    return is_true(run, evaluate(run, node))


def is_true(run: Interpreter, value: Value) -> bool | None:
    answers = {_is_one_true(run, option) for option in list_options(value)}
    return answers.pop() if len(answers) == 1 else None


def _is_one_true(run: Interpreter, value: Value) -> bool | None:
    match value:
        case Const(value=literal):
            return bool(literal)
        case Function() | Bound() | Made():
            return True
        case Ref(number=number):
            kind = run.store.things[number].kind
            match run.store.inside(value):
                case Items(values=values, rest=rest) if values or rest is None:
                    return bool(values)
                case Fields(fields=fields, bases=(), rest=None):
                    sure = [v for v in fields.values() if MISSING not in list_options(v)]
                    return True if sure else None if fields else False
            return True if kind in ("class", "module") or _is_always_true(run, number, kind) else None
    return None


def _is_always_true(run: Interpreter, number: int, kind: str) -> bool:
    """An object whose class does not say when it is empty; what a component gave, where some field is always in it."""
    if kind == "opaque":
        return bool(run.observer is not None and run.observer.list_names(run, number, True))
    if kind != "instance":
        return False
    lineage = list_lineage(run, run.store.things[number].cls)
    if any(run.store.read(cls, word) is not None for cls in lineage for word in ("__bool__", "__len__")):
        return False
    bases = [bases for cls in lineage if isinstance(bases := run.store.read(cls, "<bases>"), Items)]
    outside = [base for some in bases for base in some.values if isinstance(base, Unknown)]
    return all(base.name.rpartition(".")[2] in _WITHOUT_LENGTH for base in outside)


def _is_never_none(run: Interpreter, value: Value) -> bool:
    """Whether something surely lies there: what the project made, or what a contract says is never null."""
    if isinstance(value, Ref) and run.store.things[value.number].kind == "opaque":
        return run.observer is not None and run.observer.is_never_none(run, value)
    return isinstance(value, Ref | Function | Bound | Made)


# ---- what lies in something


def iterate(run: Interpreter, value: Value) -> Items:
    """The elements of something, one by one as far as they can be counted."""
    parts = [_iterate_one(run, option) for option in list_options(value)]
    if len(parts) == 1:
        return parts[0]
    rests = [v for part in parts for v in (*part.values, part.rest) if v is not None]
    return Items((), join(*rests) if rests else None)


def _iterate_one(run: Interpreter, value: Value) -> Items:
    match value:
        case Const(value=str() as text) if len(text) <= 64:
            return Items(tuple(make_const(letter) for letter in text))
        case Ref(number=number):
            match run.store.inside(value):
                case Items() as items:
                    return items
                case Fields() as fields:
                    return _iterate_fields(run, number, fields)
            found = find_member(run, value, "__iter__")
            if found is not None:
                return iterate(run, run.call(found, Arguments()))
            if is_named_tuple(run, value):
                names = list_fields(run, list_lineage(run, run.store.things[number].cls))
                return Items(tuple(read_attribute(run, value, name) for name in names))
    return Items((), run.unknown(value))


def is_named_tuple(run: Interpreter, value: Value) -> bool:
    """Whether something is an object of a `NamedTuple`, whose fields have an order."""
    thing = run.store.things[value.number] if isinstance(value, Ref) else None
    kind = run.store.read(thing.cls, "<record>") if thing is not None and thing.kind == "instance" else None
    return kind == Const("NamedTuple", "str")


def _iterate_fields(run: Interpreter, number: int, fields: Fields) -> Items:
    thing = run.store.things[number]
    if thing.kind == "opaque":
        part: Value = run.store.find_part(number, "[]")
        if fields.bases != (number,) or fields.fields:
            part = join(*(fields.fields.get("[]", part), *([fields.rest] if fields.rest is not None else [])))
            part = join(
                *(run.store.find_part(number, "[]") if option == BASE else option for option in list_options(part))
            )
        return Items((), part)
    names = list_keys(run, Ref(number))
    if names is not None:
        return Items(tuple(make_const(name) for name in names))
    return Items((), run.unknown(Ref(number)))


def list_keys(run: Interpreter, value: Value) -> list[object] | None:
    """The keys of a mapping, where they are all known to be there, in their order."""
    if not isinstance(value, Ref):
        return None
    content = run.store.inside(value)
    if not isinstance(content, Fields) or content.rest is not None:
        return None
    keys: dict[object, None] = {}
    for base in content.bases:
        names = run.observer.list_names(run, base) if run.observer is not None else None
        if names is None:
            return None
        keys.update(dict.fromkeys(names))
    for key, inner in content.fields.items():
        options = list_options(inner)
        if options == (MISSING,):
            keys.pop(key, None)
        elif MISSING in options:
            return None
        else:
            keys[key] = None
    return list(keys)


def read_item(run: Interpreter, container: Value, key: Value, default: Value | None = None) -> Value:
    """`container[key]`; with `default` what is given where nothing lies there."""
    options = _drop_none(container)
    keys = list_options(key)
    if len(options) * len(keys) > 24:
        return run.unknown(container)
    result = join(*(_read_one_item(run, option, k, default) for option in options for k in keys))
    if run.observer is not None:
        for k in keys:
            run.observer.see_read(run, container, read_const(k), result)
    return result


def _read_one_item(run: Interpreter, container: Value, key: Value, default: Value | None) -> Value:
    literal = read_key(key)
    if isinstance(container, Const) and literal is not MISSING:
        return _compute(lambda: container.value[literal])  # type: ignore[index]
    if not isinstance(container, Ref):
        return run.unknown(container)
    match run.store.inside(container):
        case Items(values=values, rest=rest):
            if isinstance(literal, int) and -len(values) <= literal < len(values) and (rest is None or literal >= 0):
                return values[literal]
            everything = [v for v in (*values, rest) if v is not None]
            return join(*everything) if everything else NOTHING_KNOWN
        case Fields() as fields:
            if literal is MISSING:
                return run.unknown(container)
            if literal not in fields.fields and default is None and run.store.things[container.number].name == FILLING:
                return _fill(run, container, key)
            found = [o for o in list_options(read_field(run, fields, literal)) if o != MISSING or default is not None]
            return join(*((default if o == MISSING else o) for o in found))
    if (found_method := find_member(run, container, "__getitem__")) is not None:
        return run.call(found_method, Arguments([key]))
    return run.unknown(container)


def _fill(run: Interpreter, container: Ref, key: Value) -> Value:
    """`defaultdict(list)[key]`: what the factory makes lies there from now on."""
    factory = run.store.read(container.number, "<factory>")
    made = run.call(factory, Arguments()) if is_value(factory) else NOTHING_KNOWN
    store_item(run, container, key, made)
    return made


def read_field(run: Interpreter, content: Fields, key: object) -> Value:
    """What lies under a key, `MISSING` among the options where it may not be there."""
    results: list[Value] = []
    for option in list_options(content.fields.get(key, BASE)):
        results += [option] if option != BASE else list_options(_read_base(run, content, key))
    return join(*results)


def _read_base(run: Interpreter, content: Fields, key: object) -> Value:
    if content.rest is not None:
        origins = run.unknown(content.rest, *(Ref(base) for base in content.bases))
        return join(origins, MISSING)
    found: list[Value] = []
    for base in reversed(content.bases):
        names = run.observer.list_names(run, base) if run.observer is not None else None
        if names is not None and key not in names and len(content.bases) > 1:
            continue
        found.append(run.store.find_part(base, str(key)))
        if names is not None:
            break
    return join(*found) if found else MISSING


def read_attribute(run: Interpreter, value: Value, name: str) -> Value:
    """`value.name`."""
    return join(*(_read_one_attribute(run, option, name) for option in _drop_none(value)))


def _drop_none(value: Value) -> tuple[Value, ...]:
    """What may lie there when something is read from it: of None nothing is, and that way ends there."""
    options = list_options(value)
    return tuple(option for option in options if option != NONE) or options


def _read_one_attribute(run: Interpreter, value: Value, name: str) -> Value:
    match value:
        case Unknown(name=dotted, origins=origins):
            return Unknown(f"{dotted}.{name}" if dotted else f"?.{name}", origins)
        case Ref(number=number):
            return _read_object_attribute(run, value, run.store.things[number], name)
        case Made(kind="super", parts=(Ref() as owner,), named=((_, Const(value=int() as cls)),)):
            return _read_super(run, owner, cls, name)
        case Function() if name == "__name__" and hasattr(value.node, "name"):
            return make_const(value.node.name)
        case Const() | Made() | Bound() | Function():
            return Bound(Unknown(f"value.{name}"), value)
    return NOTHING_KNOWN


def _read_super(run: Interpreter, owner: Ref, cls: int, name: str) -> Value:
    thing = run.store.things[owner.number]
    lineage = list_lineage(run, owner.number if thing.kind == "class" else thing.cls)
    for number in lineage[lineage.index(cls) + 1 :] if cls in lineage else ():
        found = run.store.read(number, name)
        if isinstance(found, Function):
            return _bind_member(run, found, owner, thing, number, name)
    return Bound(Unknown(f"object.{name}"), owner)


def _read_object_attribute(run: Interpreter, ref: Ref, thing: Thing, name: str) -> Value:
    if thing.kind == "module":
        return _read_module_attribute(run, ref, thing, name)
    if thing.kind == "opaque":
        content = run.store.inside(ref)
        if thing.cls and (member := find_member(run, ref, name)) is not None:
            return member
        is_method = name in MAPPING_METHODS | LIST_METHODS and not (thing.cls and _has_field(run, thing, name))
        if is_method or not isinstance(content, Fields):
            return Bound(Unknown(f"opaque.{name}"), ref)
        return read_field(run, content, name)
    if thing.kind in ("dict", "list", "tuple"):
        if thing.name.startswith("namespace"):
            content = run.store.inside(ref)
            assert isinstance(content, Fields)
            return read_field(run, content, name)
        return Bound(Unknown(f"{thing.kind}.{name}"), ref)
    found = find_member(run, ref, name)
    return found if found is not None else Bound(Unknown(f"object.{name}"), ref)


def _has_field(run: Interpreter, thing: Thing, name: str) -> bool:
    return run.store.read(thing.cls, f"<field {name}>") is not None


def _read_module_attribute(run: Interpreter, ref: Ref, thing: Thing, name: str) -> Value:
    found = run.store.read(ref.number, name)
    if is_value(found):
        return join(*iter_present(found))
    dotted = f"{thing.name}.{name}"
    below = run.texts.find_module(dotted, thing.path)
    if below is not None or run.texts.is_folder(dotted, thing.path):
        return run.find_module(dotted, thing.path)
    getter = run.store.read(ref.number, "__getattr__")
    return run.unknown() if getter is not None else Unknown(dotted)


def list_lineage(run: Interpreter, cls: int) -> list[int]:
    """A class and its bases, nearest first, as far as they are of the project."""
    lineage: dict[int, None] = {}
    todo = [cls]
    while todo:
        number = todo.pop(0)
        lineage.pop(number, None)
        lineage[number] = None
        bases = run.store.read(number, "<bases>")
        if isinstance(bases, Items):
            todo += [b.number for b in bases.values if isinstance(b, Ref) and b.number not in lineage]
    return list(lineage)


def find_member(run: Interpreter, ref: Ref, name: str) -> Value | None:
    """An attribute of an object or class of the project; None where the project does not tell."""
    thing = run.store.things[ref.number]
    if thing.kind == "instance":
        own = run.store.read(ref.number, name)
        if is_value(own) and list(iter_present(own)):
            return join(*iter_present(own))
    cls = ref.number if thing.kind == "class" else thing.cls
    for number in list_lineage(run, cls) if cls else ():
        found = run.store.read(number, name)
        if found is None or isinstance(found, Items | Fields) or found == MISSING:
            continue
        return join(*(_bind_member(run, option, ref, thing, number, name) for option in iter_present(found)))
    is_plain = thing.kind == "instance" and not name.startswith("__")
    found_hook = find_member(run, ref, "__getattr__") if is_plain else None
    return run.call(found_hook, Arguments([make_const(name)])) if found_hook is not None else None


def _bind_member(run: Interpreter, value: Value, ref: Ref, thing: Thing, owner: int, name: str) -> Value:
    if not isinstance(value, Function):
        is_own = run.class_members.get((owner, name)) == value
        return Bound(value, ref, name) if is_own and isinstance(value, Bound | Made) else value
    word = name if run.class_members.get((owner, name)) is value else ""
    if "property" in value.marks or "cached_property" in value.marks:
        return _read_property(run, value, ref, name) if thing.kind != "class" else value
    if "staticmethod" in value.marks:
        return Bound(value, MISSING, word) if word else value
    if "classmethod" in value.marks:
        return Bound(value, ref if thing.kind == "class" else Ref(thing.cls), word)
    return Bound(value, ref, word) if thing.kind != "class" else value


def _read_property(run: Interpreter, getter: Function, ref: Ref, name: str) -> Value:
    result = run.call(Bound(getter, ref), Arguments())
    if run.observer is not None:
        run.observer.see_property(run, getter, name, result)
    return result


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
                store_attribute(run, option, name, value)
        case ast.Subscript(value=inner, slice=key):
            container, key_value = evaluate(run, inner), evaluate(run, key)
            options = list_options(container)
            for option in options:
                store_item(run, option, key_value, value, sure=len(options) == 1)


def _unpack(run: Interpreter, parts: list[ast.expr], value: Value) -> None:
    star = next((i for i, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
    items = iterate(run, value)
    is_opaque = isinstance(value, Ref) and run.store.things[value.number].kind == "opaque"
    for i, part in enumerate(parts):
        if star is not None and i == star:
            after = len(parts) - star - 1
            some = items.values[star : len(items.values) - after]
            assign(run, part, run.store.add(Thing("list"), Items(some, items.rest)))
            continue
        index = i if star is None or i < star else i - len(parts)
        if is_opaque:
            assign(run, part, read_item(run, value, make_const(index)))
        elif items.rest is None and -len(items.values) <= index < len(items.values):
            assign(run, part, items.values[index])
        else:
            everything = [v for v in (*items.values, items.rest) if v is not None]
            assign(run, part, run.unknown(*everything) if items.rest is None else join(*everything))


def store_attribute(run: Interpreter, owner: Value, name: str, value: Value) -> None:
    if not isinstance(owner, Ref):
        return
    thing = run.store.things[owner.number]
    if thing.kind == "opaque" or thing.name.startswith("namespace"):
        store_item(run, owner, make_const(name), value)
        return
    if thing.kind == "instance" and thing.cls:
        for number in list_lineage(run, thing.cls):  # a setter may make something of it
            member = run.store.read(number, name)
            if isinstance(member, Function) and "property" in member.marks:
                value = run.unknown(value)
    run.store.write(owner.number, name, value)


def store_item(run: Interpreter, container: Value, key: Value, value: Value, sure: bool = True) -> None:
    """`container[key] = value`."""
    if not isinstance(container, Ref):
        return
    content = run.store.inside(container)
    literal = read_key(key)
    if isinstance(content, Items):
        values = list(content.values)
        if isinstance(literal, int) and content.rest is None and -len(values) <= literal < len(values) and sure:
            values[literal] = value
            run.store.write(container.number, INSIDE, Items(tuple(values)))
        else:
            mixed = tuple(join(v, value) for v in values)
            run.store.write(container.number, INSIDE, Items(mixed, join(content.rest, value) if content.rest else None))
        return
    if content is None:
        if (setter := find_member(run, container, "__setitem__")) is not None:
            run.call(setter, Arguments([key, value]))
        return
    assert isinstance(content, Fields)
    if literal is MISSING:
        taken = run.unknown(value, key, *content.fields.values())
        run.store.write(
            container.number, INSIDE, Fields({}, content.bases, join(content.rest, taken) if content.rest else taken)
        )
        return
    if isinstance(literal, int) and run.store.things[container.number].kind == "opaque":
        literal = str(literal)
    fields = dict(content.fields)
    if not sure:
        value = join(value, read_field(run, content, literal))
    if MISSING not in list_options(value) or sure:
        fields.pop(literal, None) if value == MISSING and not content.bases else None
        fields[literal] = value
    if value == MISSING and not content.bases:
        fields.pop(literal, None)
    run.store.write(container.number, INSIDE, Fields(fields, content.bases, content.rest))


def extend_in_place(run: Interpreter, was: Value, op: ast.operator, more: Value) -> Value | None:
    """`rows += more`, `row |= more`: the same object, with more in it. None for anything else."""
    if not isinstance(was, Ref):
        return None
    content = run.store.inside(was)
    kind = run.store.things[was.number].kind
    if isinstance(op, ast.Add) and isinstance(content, Items) and kind == "list":
        added = iterate(run, more)
        rest = [v for v in (content.rest, added.rest) if v is not None]
        run.store.write(was.number, INSIDE, Items((*content.values, *added.values), join(*rest) if rest else None))
        return was
    if isinstance(op, ast.BitOr) and isinstance(content, Fields):
        update_mapping(run, was, more)
        return was
    return None


def update_mapping(run: Interpreter, target: Ref, more: Value) -> None:
    """`target.update(more)`: the later keys win."""
    content = run.store.inside(target)
    merged = merge_mappings(run, [content if isinstance(content, Fields) else Fields(), more])
    run.store.write(target.number, INSIDE, merged)


def merge_mappings(run: Interpreter, parts: Iterable[Fields | Value]) -> Fields:
    """`{**a, **b}`: what lies in all of them, the later ones first."""
    merged = Fields()
    for part in parts:
        content = part if isinstance(part, Fields) else _read_mapping(run, part)
        if content is None:
            assert not isinstance(part, Fields)
            rest = run.unknown(part, *([merged.rest] if merged.rest is not None else []))
            merged = Fields({}, (), join(rest, run.unknown(*merged.fields.values())))
            continue
        if content.bases and len(merged.fields):
            # What lies under the earlier keys now depends on what the later mapping holds.
            kept: dict[object, Value] = {}
            for key, value in merged.fields.items():
                may = [run.observer.list_names(run, b) if run.observer else None for b in content.bases]
                must = [run.observer.list_names(run, b, True) if run.observer else None for b in content.bases]
                if all(names is not None and key not in names for names in may):
                    kept[key] = value
                elif not any(names is not None and key in names for names in must):
                    kept[key] = join(value, BASE)
            merged = Fields(kept, merged.bases, merged.rest)
        fields = {**merged.fields}
        for key, value in content.fields.items():
            options = list_options(value)
            if MISSING in options and key in fields:
                value = join(*(o for o in options if o != MISSING), fields[key])
            if value == MISSING and not (content.bases or merged.bases):
                continue
            fields[key] = value
        rests = [r for r in (merged.rest, content.rest) if r is not None]
        merged = Fields(fields, (*merged.bases, *content.bases), join(*rests) if rests else None)
    return merged


def _read_mapping(run: Interpreter, value: Value) -> Fields | None:
    if isinstance(value, Choice):
        contents = [_read_mapping(run, option) for option in value.options]
        return None if any(c is None for c in contents) else join_fields([c for c in contents if c is not None])
    if not isinstance(value, Ref):
        return None
    content = run.store.inside(value)
    if isinstance(content, Items):  # `dict(pairs)`
        fields: dict[object, Value] = {}
        pairs = [iterate(run, pair) for pair in content.values]
        if content.rest is not None or any(len(p.values) != 2 or p.rest is not None for p in pairs):
            return None
        for pair in pairs:
            key = read_const(pair.values[0])
            if key is MISSING:
                return None
            fields[key] = pair.values[1]
        return Fields(fields)
    return content if isinstance(content, Fields) else None


# ---- operators


def _compute(ask: Callable[[], object]) -> Value:
    try:
        return make_const(ask())
    except Exception:
        return NOTHING_KNOWN


def operate(run: Interpreter, op: ast.AST, left: Value, right: Value) -> Value:
    """`left op right`."""
    if isinstance(op, ast.BitOr) and all(_read_mapping(run, side) is not None for side in (left, right)):
        return run.store.add(Thing("dict"), merge_mappings(run, [left, right]))
    if isinstance(op, ast.Add) and isinstance(left, Ref) and isinstance(right, Ref):
        sides = run.store.inside(left), run.store.inside(right)
        if isinstance(sides[0], Items) and isinstance(sides[1], Items):
            rest = [s.rest for s in sides if isinstance(s, Items) and s.rest is not None]
            kind = run.store.things[left.number].kind
            both = Items((*sides[0].values, *sides[1].values), join(*rest) if rest else None)
            return run.store.add(Thing(kind), both)
    literals = read_const(left), read_const(right)
    if MISSING not in literals and type(op) in _OPERATORS:
        if isinstance(op, ast.Mult) and any(isinstance(v, int) and v > 1_000 for v in literals):
            return NOTHING_KNOWN
        return _compute(lambda: _OPERATORS[type(op)](*literals))
    return run.unknown(left, right)


def _evaluate_compare(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Compare)
    values = [evaluate(run, node.left), *(evaluate(run, c) for c in node.comparators)]
    if len(values) == 2 and values[1] == NONE and all(_is_never_none(run, o) for o in list_options(values[0])):
        if isinstance(node.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
            return make_const(isinstance(node.ops[0], ast.IsNot | ast.NotEq))
    elif len(values) == 2:
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(values[1], Ref):
            keys = list_keys(run, values[1])
            literal = read_const(values[0])
            content = run.store.inside(values[1])
            if (
                isinstance(content, Items)
                and content.rest is None
                and all(isinstance(v, Const) for v in content.values)
            ):
                keys = [read_const(v) for v in content.values]
            is_opaque = isinstance(content, Fields) and bool(content.bases)
            if keys is not None and literal is not MISSING and not is_opaque:
                return make_const((literal in keys) == isinstance(node.ops[0], ast.In))
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
        truth = is_true(run, value)
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
        truth = is_true(run, value)
        return make_const(not truth) if truth is not None else run.unknown(value)
    literal = read_const(value)
    if isinstance(node.op, ast.USub) and isinstance(literal, int | float):
        return make_const(-literal)
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
    literals = [read_const(part) for part in parts]
    return make_const("".join(map(str, literals))) if MISSING not in literals else run.unknown(*parts)


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
        literal = read_key(keys[0]) if len(keys) == 1 else MISSING
        parts.append(Fields({literal: inner}) if literal is not MISSING else Fields(rest=run.unknown(inner)))
    return run.store.add(Thing("dict"), merge_mappings(run, parts))


def _evaluate_sequence(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.List | ast.Tuple | ast.Set)
    values: list[Value] = []
    rests: list[Value] = []
    for part in node.elts:
        value = evaluate(run, part)
        if isinstance(part, ast.Starred):
            items = iterate(run, value)
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
            store_item(run, result, key, value)
        else:
            append(run, result, evaluate(run, node.elt))
        return "normal"

    def go(left: list[ast.comprehension]) -> str:
        if not left:
            return add()
        first, *more = left
        if first is node.generators[0]:
            run.frames = run.frames[:-1]
            elements = iterate(run, evaluate(run, first.iter))
            run.frames = [*run.frames, inner]
        else:
            elements = iterate(run, evaluate(run, first.iter))

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


def append(run: Interpreter, target: Value, value: Value) -> None:
    """`target.append(value)`. In a loop that nobody can count, once more is the same as any number of times."""
    for option in list_options(target):
        if not isinstance(option, Ref):
            continue
        match run.store.inside(option):
            case Items(values=values, rest=None) if len(values) < 100:
                run.store.write(option.number, INSIDE, Items((*values, value)))
            case Items(values=values, rest=rest):
                everything = [v for v in (rest, value) if v is not None]
                run.store.write(option.number, INSIDE, Items(values, join(*everything)))
            case Fields(fields=fields, bases=bases, rest=rest):
                part = join(fields.get("[]", BASE), value)
                run.store.write(option.number, INSIDE, Fields({**fields, "[]": part}, bases, rest))


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
            plain = all(isinstance(inner, ast.MatchAs) and inner.pattern is None for inner in patterns)
            return plain and sure is not None and {*names} <= {*sure}
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
                bind_pattern(run, inner, read_item(run, subject, evaluate(run, key)))
            if rest:
                run.bind_name(rest, run.unknown(subject))
        case ast.MatchOr(patterns=patterns):
            for inner in patterns:
                bind_pattern(run, inner, subject)
        case ast.MatchSequence(patterns=patterns):
            for i, inner in enumerate(patterns):
                bind_pattern(run, inner, read_item(run, subject, make_const(i)))
        case ast.MatchClass(patterns=patterns, kwd_attrs=names, kwd_patterns=named):
            for inner in patterns:
                bind_pattern(run, inner, run.unknown(subject))
            for name, inner in zip(names, named, strict=True):
                bind_pattern(run, inner, read_attribute(run, subject, name))


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
    value = read_attribute(run, owner, node.attr)
    if run.observer is not None:
        run.observer.see_read(run, owner, node.attr, value)
    run.escaped.update(option.node for option in list_options(value) if isinstance(option, Function))
    return join(*(_settle(run, option, node.attr) for option in list_options(value)))


def _settle(run: Interpreter, value: Value, name: str) -> Value:
    """A part of an opaque object whose name a method has as well: where it is read and not called, it is the part."""
    if isinstance(value, Bound) and isinstance(value.receiver, Ref) and value.function == Unknown(f"opaque.{name}"):
        names = run.observer.list_names(run, value.receiver.number) if run.observer is not None else None
        if names is not None and name in names:
            return read_item(run, value.receiver, make_const(name))
    return value


def _evaluate_subscript(run: Interpreter, node: ast.expr) -> Value:
    assert isinstance(node, ast.Subscript)
    container = evaluate(run, node.value)
    if isinstance(node.slice, ast.Slice):
        return _slice(run, container, node.slice)
    if isinstance(container, Ref) and run.store.things[container.number].kind == "class":
        return container  # `Box[int]`
    return read_item(run, container, evaluate(run, node.slice))


def _slice(run: Interpreter, container: Value, node: ast.Slice) -> Value:
    bounds = [read_const(evaluate(run, b)) if b is not None else None for b in (node.lower, node.upper, node.step)]
    whole = [b for b in bounds if b is None or isinstance(b, int)]
    part = slice(*whole) if len(whole) == len(bounds) else None
    if isinstance(container, Const):
        text = container.value
        return make_const(text[part]) if part is not None and isinstance(text, str) else NOTHING_KNOWN
    items = iterate(run, container)
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
    items = Items((value,)) if isinstance(node, ast.Yield) else iterate(run, value)
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
    return make_const(node.value)


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
    keys = list_keys(run, value) if not isinstance(value, Choice) else None
    if keys is None:
        args.spreads.append(value)
        return
    for key in keys:
        args.keywords[str(key)] = read_item(run, value, make_const(key))


def list_fields(run: Interpreter, lineage: Iterable[int]) -> list[str]:
    """The fields of a record, those of its bases first."""
    fields: dict[str, None] = {}
    for number in reversed(list(lineage)):
        for name in run.store.list_names(number):
            if name.startswith("<field "):
                fields[name[7:-1]] = None
    return list(fields)


def resolve_future(run: Interpreter, value: Value) -> Value:
    """What a future comes to."""
    results: list[Value] = []
    for option in list_options(value):
        results.append(option.parts[0] if isinstance(option, Made) and option.kind == "future" else option)
    return join(*results)
