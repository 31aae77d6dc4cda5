"""What lies in an object and what is stored there: items, keys, attributes; which of it is sure. It knows no syntax."""

from __future__ import annotations

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

_WITHOUT_LENGTH = frozenset(
    """GraphBusNode object Generic ABC Protocol BaseModel Struct Exception ValueError RuntimeError""".split()  # noqa: SIM905
)
LONGEST_TEXT = 2_000  # of what is computed from literals
ATTRIBUTES = "attributes"  # `vars(x)`: what is stored there is stored in the object
FILLING = "defaultdict"  # a mapping that makes what it is asked for
MAPPING_METHODS = frozenset(
    """get pop setdefault items keys values update copy model_dump dict _asdict _replace""".split()  # noqa: SIM905
)
LIST_METHODS = frozenset(
    """append extend insert pop copy remove sort reverse clear index count popleft appendleft""".split()  # noqa: SIM905
)
IN_ORDER = "in order"  # the values of a record without their names


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


def is_never_none(run: Interpreter, value: Value) -> bool:
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
    value = open_attributes(run, value)
    if isinstance(value, Ref) and is_named_tuple(run, value):
        names = list_fields(run, list_lineage(run, run.store.things[value.number].cls))
        return Items(tuple(read_attribute(run, value, name) for name in names))
    match value:
        case Const(value=str() as text) if len(text) <= 64:
            return Items(tuple(make_const(letter) for letter in text))
        case Ref(number=number):
            match run.store.inside(value):
                case Items() as items:
                    return items
                case Fields() as fields:
                    return _iterate_fields(run, number, fields)
            iterator = find_member(run, value, "__iter__")
            if iterator is not None:
                return iterate(run, run.call(iterator, Arguments()))
    return Items((), run.unknown(value))


def is_named_tuple(run: Interpreter, value: Value) -> bool:
    """Whether something is an object of a `NamedTuple`, whose fields have an order."""
    thing = run.store.things[value.number] if isinstance(value, Ref) else None
    kind = run.store.read(thing.cls, "<record>") if thing is not None and thing.kind in ("instance", "opaque") else None
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


def open_attributes(run: Interpreter, value: Value) -> Value:
    """`vars(x)` as a mapping of what it holds now."""
    is_view = isinstance(value, Made) and value.kind == ATTRIBUTES
    return make_dict(run, value.parts[0]) if isinstance(value, Made) and is_view else value


def list_keys(run: Interpreter, value: Value) -> list[object] | None:
    """The keys of a mapping, where they are all known to be there, in their order."""
    value = open_attributes(run, value)
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
    container = open_attributes(run, container)
    if isinstance(container, Const) and literal is not MISSING:
        return compute(lambda: container.value[literal])  # type: ignore[index]
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
                note_dispatch(run, fields.fields.values())
                return run.unknown(container)
            if literal not in fields.fields and default is None and run.store.things[container.number].name == FILLING:
                return _fill(run, container, key)
            options = [o for o in list_options(read_field(run, fields, literal)) if o != MISSING or default is not None]
            return join(*((default if o == MISSING else o) for o in options))
    if (found_method := find_member(run, container, "__getitem__")) is not None:
        return run.call(found_method, Arguments([key]))
    return run.unknown(container)


def note_dispatch(run: Interpreter, values: Iterable[Value]) -> None:
    """Components that are chosen by a name that nobody can tell: who calls them so may give their fields by name."""
    for option in (option for value in values for option in list_options(value)):
        thing = run.store.things[option.number] if isinstance(option, Ref) else Thing("nothing")
        cls = run.store.things[thing.cls] if thing.kind == "instance" else thing
        agent = run.components.get((cls.path, cls.name)) if cls.kind == "class" else None
        if agent is not None and run.frames:
            run.dispatched.setdefault(agent.name, f"{run.frame.path}:{run.frame.line}")


def _fill(run: Interpreter, container: Ref, key: Value) -> Value:
    """`defaultdict(list)[key]`: what the factory makes lies there from now on."""
    factory = run.store.read(container.number, "<factory>")
    product = run.call(factory, Arguments()) if is_value(factory) else NOTHING_KNOWN
    store_item(run, container, key, product)
    return product


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
    parts: list[Value] = []
    for base in reversed(content.bases):
        names = run.observer.list_names(run, base) if run.observer is not None else None
        if names is not None and key not in names and len(content.bases) > 1:
            continue
        parts.append(run.store.find_part(base, str(key)))
        if names is not None:
            break
    return join(*parts) if parts else MISSING


# ---- attributes


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
        member = run.store.read(number, name)
        if isinstance(member, Function):
            return _bind_member(run, member, owner, thing, number, name)
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
        if thing.cls and (member := find_member(run, ref, name)) is not None:
            return member
        if thing.name.startswith("namespace"):
            content = run.store.inside(ref)
            assert isinstance(content, Fields)
            return read_field(run, content, name)
        return Bound(Unknown(f"{thing.kind}.{name}"), ref)
    if name in ("__name__", "__qualname__") and thing.kind == "class":
        return make_const(thing.name.rpartition(".")[2])
    if name == "__class__" and thing.cls:
        return Ref(thing.cls)
    if name == "__dict__" and thing.kind == "instance":
        return Made(ATTRIBUTES, (ref,))
    own = find_member(run, ref, name)
    return own if own is not None else Bound(Unknown(f"object.{name}"), ref)


def _has_field(run: Interpreter, thing: Thing, name: str) -> bool:
    return run.store.read(thing.cls, f"<field {name}>") is not None


def _read_module_attribute(run: Interpreter, ref: Ref, thing: Thing, name: str) -> Value:
    member = run.store.read(ref.number, name)
    if is_value(member):
        return join(*iter_present(member))
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
        member = run.store.read(number, name)
        if member is None or isinstance(member, Items | Fields) or member == MISSING:
            continue
        return join(*(_bind_member(run, option, ref, thing, number, name) for option in iter_present(member)))
    is_dict_method = thing.kind == "dict" and name in MAPPING_METHODS
    is_plain = thing.kind in ("instance", "dict") and not name.startswith("__") and not is_dict_method
    found_hook = find_member(run, ref, "__getattr__") if is_plain else None
    return run.call(found_hook, Arguments([make_const(name)])) if found_hook is not None else None


def _bind_member(run: Interpreter, value: Value, ref: Ref, thing: Thing, owner: int, name: str) -> Value:
    if isinstance(value, Ref) and run.store.things[value.number].kind == "instance" and thing.kind != "class":
        getter = find_member(run, value, "__get__")
        return run.call(getter, Arguments([ref, Ref(owner)])) if getter is not None else value
    if isinstance(value, Made) and value.kind == "partialmethod" and value.parts:
        return Made("partial", (Bound(value.parts[0], ref), *value.parts[1:]), value.named)
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
            elif isinstance(member, Ref) and run.store.things[member.number].kind == "instance":
                setter = find_member(run, member, "__set__")
                if setter is not None:
                    run.call(setter, Arguments([owner, value]))
                    return
    run.store.write(owner.number, name, value)


def store_item(run: Interpreter, container: Value, key: Value, value: Value, sure: bool = True) -> None:
    """`container[key] = value`."""
    if isinstance(container, Made) and container.kind == ATTRIBUTES and isinstance(read_const(key), str):
        store_attribute(run, container.parts[0], str(read_const(key)), value)
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
        rest = run.unknown(value, key, *content.fields.values())
        run.store.write(
            container.number, INSIDE, Fields({}, content.bases, join(content.rest, rest) if content.rest else rest)
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


def update_mapping(run: Interpreter, target: Ref, more: Value) -> None:
    """`target.update(more)`: the later keys win."""
    content = run.store.inside(target)
    merged = merge_mappings(run, [content if isinstance(content, Fields) else Fields(), more])
    run.store.write(target.number, INSIDE, merged)


def merge_mappings(run: Interpreter, parts: Iterable[Fields | Value]) -> Fields:
    """`{**a, **b}`: what lies in all of them, the later ones first."""
    merged = Fields()
    for part in parts:
        content = part if isinstance(part, Fields) else read_mapping(run, part)
        if content is None:
            assert not isinstance(part, Fields)
            rest = run.unknown(part, *([merged.rest] if merged.rest is not None else []))
            merged = Fields({}, (), join(rest, run.unknown(*merged.fields.values())))
            continue
        if content.bases and len(merged.fields):
            # What lies under the earlier keys now depends on what the later mapping holds.
            earlier: dict[object, Value] = {}
            for key, value in merged.fields.items():
                may = [run.observer.list_names(run, b) if run.observer else None for b in content.bases]
                must = [run.observer.list_names(run, b, True) if run.observer else None for b in content.bases]
                if all(names is not None and key not in names for names in may):
                    earlier[key] = value
                elif not any(names is not None and key in names for names in must):
                    earlier[key] = join(value, BASE)
            merged = Fields(earlier, merged.bases, merged.rest)
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


def read_mapping(run: Interpreter, value: Value) -> Fields | None:
    value = open_attributes(run, value)
    if isinstance(value, Choice):
        contents = [read_mapping(run, option) for option in value.options]
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


def compute(ask: Callable[[], object]) -> Value:
    try:
        return make_const(ask())
    except Exception:
        return NOTHING_KNOWN


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


def list_fields(run: Interpreter, lineage: Iterable[int]) -> list[str]:
    """The fields of a record, those of its bases first."""
    fields: dict[str, None] = {}
    for number in reversed(list(lineage)):
        for name in run.store.list_names(number):
            if name.startswith("<field "):
                fields[name[7:-1]] = None
    return list(fields)


# ---- copies


def copy_object(run: Interpreter, value: Value, word: str = "") -> Value:
    results: list[Value] = []
    for option in list_options(value):
        if not isinstance(option, Ref):
            results.append(option)
            continue
        thing, content = run.store.things[option.number], run.store.inside(option)
        if word in ("list", "tuple", "deque", "iter"):
            name = thing.name if thing.name == IN_ORDER else ""
            kind = "tuple" if word == "tuple" else "list"
            results.append(run.store.add(Thing(kind, name=name), iterate(run, option)))
        elif isinstance(content, Fields):
            results.append(run.store.add(Thing("dict", name=thing.name), content))
        elif isinstance(content, Items):
            results.append(run.store.add(Thing(thing.kind), content))
        elif thing.kind == "instance":
            results.append(copy_instance(run, option, thing))
        else:
            results.append(option)
    return join(*results)


def copy_instance(run: Interpreter, ref: Ref, thing: Thing) -> Ref:
    new = run.store.add(Thing("instance", cls=thing.cls))
    for name in run.store.list_names(ref.number):
        content = run.store.read(ref.number, name)
        if content is not None:
            run.store.write(new.number, name, content)
    return new


def make_dict(run: Interpreter, value: Value) -> Value:
    """A record as a mapping: `asdict(x)`, `x.model_dump()`, `vars(x)`."""
    results: list[Value] = []
    for option in list_options(value):
        if isinstance(option, Ref) and run.store.things[option.number].kind == "instance":
            fields: dict[object, Value] = {}
            for name in run.store.list_names(option.number):
                inner = run.store.read(option.number, name)
                if is_value(inner) and not name.startswith("<"):
                    is_inner = isinstance(inner, Ref) and run.store.read(inner.number, "<made>") is not None
                    fields[name] = make_dict(run, inner) if is_inner else inner
            results.append(run.store.add(Thing("dict"), Fields(fields)))
        elif isinstance(option, Ref) and isinstance(run.store.inside(option), Fields):
            results.append(copy_object(run, option))
        else:
            results.append(run.unknown(option))
    return join(*results)


def spoil(run: Interpreter, ref: Ref) -> None:
    """Something unknown was stored in an object: nothing in it is what it was."""
    content = run.store.inside(ref)
    for name in run.store.list_names(ref.number):
        inner = run.store.read(ref.number, name)
        if is_value(inner) and not name.startswith("<"):
            run.store.write(ref.number, name, run.unknown(inner))
    if isinstance(content, Items):
        run.store.write(ref.number, INSIDE, Items((), run.unknown(*content.values, content.rest)))
    elif isinstance(content, Fields):
        rest = run.unknown(*content.fields.values(), *(Ref(base) for base in content.bases))
        run.store.write(ref.number, INSIDE, Fields({}, (), rest))
