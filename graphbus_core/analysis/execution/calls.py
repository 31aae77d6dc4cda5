"""Calls: what binds to which parameter, what a class makes, and where a component is called."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphbus_core.analysis.execution import contents, expressions, library
from graphbus_core.analysis.execution.state import (
    MISSING,
    NOTHING_KNOWN,
    Arguments,
    Bound,
    Const,
    Fields,
    Frame,
    Function,
    Items,
    Made,
    Origin,
    Ref,
    Thing,
    Unknown,
    Value,
    is_value,
    iter_present,
    join,
    list_options,
)
from graphbus_core.analysis.flow_types import BY_NAME
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.syntax import last_name

if TYPE_CHECKING:
    from graphbus_core.analysis.execution.interpreter import Interpreter

KEEPING = frozenset(
    """staticmethod classmethod abstractmethod override cache lru_cache final schema_method contract subscribe
    publishes depends_on wraps fixture property cached_property contextmanager asynccontextmanager parametrize
    mark usefixtures filterwarnings asyncio anyio skip skipif xfail expectedFailure skipIf skipUnless given
    settings example tags slow override coroutine deprecated""".split()  # noqa: SIM905
)
RECORDS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "s", "attrib", "dataclass_transform"})
RECORD_BASES = frozenset({"NamedTuple", "BaseModel", "TypedDict", "Struct", "SQLModel", "RootModel"})
PLAIN_BASES = RECORD_BASES | frozenset(
    """GraphBusNode object Generic ABC Protocol Enum StrEnum IntEnum Flag IntFlag TestCase
    IsolatedAsyncioTestCase Exception ValueError RuntimeError TypeError KeyError LookupError dict list tuple str
    int float""".split()  # noqa: SIM905
)
VALIDATORS = frozenset({"field_validator", "validator", "model_validator", "root_validator", "validates"})
HOLDING = ast.Eq | ast.Is | ast.In | ast.Lt | ast.LtE | ast.Gt | ast.GtE  # a bound holds a value as well
PREDICATES = frozenset(
    """startswith endswith isdigit isalpha isalnum isupper islower isclose allclose match fullmatch search issubset
    issuperset any all""".split()  # noqa: SIM905
)  # whose answer is yes or no, by what is in the value
CATCHING = frozenset(
    """raises suppress assertRaises assertRaisesRegex warns deprecated_call assertWarns assertWarnsRegex
    subTest_fails""".split()  # noqa: SIM905
)


def call_node(run: Interpreter, node: ast.Call) -> Value:
    """A call as it is written."""
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return _make_super(run)
    if isinstance(node.func, ast.Attribute):
        callee = contents.read_attribute(run, run.evaluate(node.func.value), node.func.attr)
    else:
        callee = run.evaluate(node.func)
    args = Arguments()
    for argument in node.args:
        value = run.evaluate(argument)
        if isinstance(argument, ast.Starred):
            items = library.spread_positions(run, value)
            if args.rest is None:
                args.positions += items.values
            else:
                args.rest = join(args.rest, *items.values)
            if items.rest is not None:
                args.rest = join(items.rest, *([args.rest] if args.rest is not None else []))
        elif args.rest is None:
            args.positions.append(value)
        else:
            args.rest = join(args.rest, value)
    for keyword in node.keywords:
        value = run.evaluate(keyword.value)
        if keyword.arg is not None:
            args.keywords[keyword.arg] = value
        else:
            expressions.spread(run, args, value)
    was, run.site = run.site, (run.frame.path, node.lineno)
    if was is not None and not run.frame.path:
        run.site = was
    try:
        return call(run, callee, args)
    finally:
        run.site = was


def _make_super(run: Interpreter) -> Value:
    function = run.frame.function
    node = function.node if function is not None else None
    if function is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.args.args:
        return NOTHING_KNOWN
    owner = run.read_name(node.args.args[0].arg)
    return Made("super", (owner,), (("cls", Const(function.cls, "int")),)) if isinstance(owner, Ref) else NOTHING_KNOWN


def call(run: Interpreter, callee: Value, args: Arguments) -> Value:
    """What a call gives."""
    run.count_step()
    options = list_options(callee)
    if len(options) > 1:
        results: list[Value] = []

        def take(option: Value) -> str:
            results.append(_call_one(run, option, args))
            return "normal"

        run.run_both([lambda o=option: take(o) for option in options])  # type: ignore[misc]
        return join(*results)
    return _call_one(run, callee, args)


def _call_one(run: Interpreter, callee: Value, args: Arguments) -> Value:
    match callee:
        case Function() if callee in run.methods and args.positions:
            agent, word = run.methods[callee]  # `Order.use(order, qty)`, or what now stands in its place calls it
            without_self = Arguments(args.positions[1:], args.keywords, args.rest, args.spreads)
            return call_component(run, agent, word, Bound(callee, args.positions[0], word), without_self)
        case Function():
            return call_function(run, callee, args)
        case Bound():
            return _call_bound(run, callee, args)
        case Made():
            return library.call_made(run, callee, args)
        case Ref(number=number):
            thing = run.store.things[number]
            if thing.kind == "class":
                return make_object(run, number, args)
            member = contents.find_member(run, callee, "__call__") if thing.kind == "instance" else None
            if member is not None:
                return call(run, member, args)
            return run.unknown(callee, *args.list_values())
        case Unknown():
            return _call_unknown(run, callee, args)
    return run.unknown(callee, *args.list_values())


def _call_bound(run: Interpreter, callee: Bound, args: Arguments) -> Value:
    receiver = callee.receiver
    if callee.word and isinstance(receiver, Ref):
        thing = run.store.things[receiver.number]
        cls = run.store.things[receiver.number if thing.kind == "class" else thing.cls]
        agent = run.components.get((cls.path, cls.name))
        own = contents.find_member(run, receiver, callee.word) if callee.function in run.methods else None
        if isinstance(own, Bound) and own.function is not callee.function:
            return _call_inherited(run, callee, args)
        if agent is not None and agent.method(callee.word) is not None:
            return call_component(run, agent, callee.word, callee, args)
    if isinstance(callee.function, Function):
        if receiver == MISSING:
            return call_function(run, callee.function, args)
        with_self = Arguments([receiver, *args.positions], args.keywords, args.rest, args.spreads)
        return call_function(run, callee.function, with_self)
    if isinstance(callee.function, Unknown):
        result = _call_by_name(run, callee.function.name, args)
        return result if result is not None else library.call_method(run, callee.function.name, receiver, args)
    return call(run, callee.function, args)


def _call_inherited(run: Interpreter, callee: Bound, args: Arguments) -> Value:
    """`super().use(…)`: what the caller of an override gave goes on to the method that it overrides."""
    agent, word = run.methods[callee.function]
    was, run.is_recording = run.is_recording, run.is_recording_caller
    try:
        return call_component(run, agent, word, callee, args)
    finally:
        run.is_recording = was


def _call_unknown(run: Interpreter, callee: Unknown, args: Arguments) -> Value:
    by_name = _call_by_name(run, callee.name, args)
    if by_name is not None:
        return by_name
    result = library.call_library(run, callee, args)
    return result if result is not None else library.call_outside(run, callee.name, args, callee)


def _call_by_name(run: Interpreter, name: str, args: Arguments) -> Value | None:
    """`bus.call("Cleaner", "clean", …)`, `bus.call("Cleaner.clean", …)`, `bus.get_node("Cleaner")`."""
    word = name.rpartition(".")[2]
    texts = [contents.read_const(value) for value in args.positions[:2]]
    if word == "get_node" and texts and texts[0] in run.nodes:
        return make_node(run, str(texts[0]))
    if word not in BY_NAME or not texts or not isinstance(texts[0], str):
        return None
    node, _, method = texts[0].rpartition(".")
    shift = 1
    if texts[0] in run.nodes and len(texts) > 1 and isinstance(texts[1], str):
        node, method, shift = texts[0], texts[1], 2
    key = run.nodes.get(node)
    agent = run.components[key] if key is not None else None
    if agent is None or agent.method(method) is None:
        return None
    passed = Arguments(list(args.positions[shift:]), dict(args.keywords), args.rest, list(args.spreads))
    payload = passed.positions or ([passed.keywords.pop("payload")] if "payload" in passed.keywords else [])
    passed.keywords.pop("timeout", None)
    passed.positions = []
    for value in payload[:1]:
        expressions.spread(run, passed, value)
    owner = make_node(run, node)
    member = contents.find_member(run, owner, method) if isinstance(owner, Ref) else None
    return call_component(run, agent, method, member if isinstance(member, Bound) else None, passed)


def make_node(run: Interpreter, name: str) -> Value:
    """An object of a component, as the bus makes it."""
    path, cls = run.nodes[name]
    module = run.load_module(path)
    value: Value = module
    for part in cls.split("."):
        value = contents.read_attribute(run, value, part)
    return call(run, value, Arguments()) if isinstance(value, Ref) else NOTHING_KNOWN


# ---- components


def call_component(
    run: Interpreter, agent: AgentDefinition, method: str, callee: Bound | None, args: Arguments
) -> Value:
    """A component's method: what it is given is seen, and what it gives is opaque.

    Its body is run for what it does to what it is given, and for the shape of what it gives; not for the values.
    """
    run.calls += 1
    number = run.calls
    function = callee.function if callee is not None and isinstance(callee.function, Function) else None
    names: dict[str, Value] | None = dict(args.keywords)
    real: Value | None = None
    gathered: dict[str, Value | None] = {}
    if function is not None and callee is not None:
        with_self = Arguments([callee.receiver, *args.positions], args.keywords, args.rest, args.spreads)
        names = bind_arguments(run, function, with_self if callee.receiver != MISSING else args)
        gathered = _copy_gathered(run, function, names) if names is not None else {}
        was = run.is_recording, run.guarded, run.publishing, run.is_recording_caller
        run.is_recording_caller = run.is_recording
        run.is_recording, run.publishing = False, []
        if names is not None:
            newest, printed = len(run.store.things), run.printed
            run.store.layers.append({})
            with run.store.look_inside():
                real = run.run_function(function, names)
            layer = run.store.layers.pop()
            run.store.layers[-1].update(layer)
            for cell in layer:
                if cell[0] < newest:
                    run.left_by.setdefault(cell, set()).add(number)
            if run.printed != printed:  # what its body prints comes of this call
                run.printed |= {Origin(agent.name, method, (), number)}
            note_published(run, agent.name, method, real)
        run.is_recording, run.guarded, run.publishing, run.is_recording_caller = was
    defaults = function.defaults if function is not None else {}
    passed = {n: v for n, v in names.items() if v is not defaults.get(n)} if names is not None else dict(args.keywords)
    passed = {n: value for n, v in passed.items() if (value := gathered.get(n, v)) is not None}
    if function is not None and callee is not None and callee.receiver != MISSING and names is not None:
        passed.pop(next(iter(names)), None)  # `self`
    shape = list_options(real)[0] if real is not None and len(list_options(real)) == 1 else None
    cls = run.store.things[shape.number].cls if isinstance(shape, Ref) else 0
    result = run.store.add(Thing("opaque", cls=cls, origin=Origin(agent.name, method, (), number)))
    origin = run.store.things[result.number].origin
    number = origin.number if origin is not None else number  # in a further round of a loop that of the first
    run.results[number] = real
    if run.observer is not None:
        run.observer.see_call(run, agent, method, passed, names is not None, number)
    return result


def _copy_gathered(run: Interpreter, function: Function, names: dict[str, Value]) -> dict[str, Value | None]:
    """What `*args` and `**kwargs` gathered, before a body changes it; None where nothing was."""
    node = function.node
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    copies: dict[str, Value | None] = {}
    for parameter in (node.args.vararg, node.args.kwarg):
        value = names.get(parameter.arg) if parameter is not None else None
        if parameter is not None and isinstance(value, Ref):
            content = run.store.inside(value)
            is_empty = content in (Items(()), Fields({}))
            copies[parameter.arg] = None if is_empty else contents.copy_object(run, value)
    return copies


def note_published(run: Interpreter, component: str, method: str, real: Value) -> None:
    """Whether a method gives back the very object that it published, with the same in it."""
    for topic, payload, content in run.publishing:
        is_same = (
            isinstance(real, Ref) and payload == real and content is not None and run.store.inside(real) == content
        )
        methods = run.published.setdefault((component, topic), {})
        methods[method] = methods.get(method, True) and is_same


# ---- functions


def call_function(run: Interpreter, function: Function, args: Arguments) -> Value:
    """A function of the project."""
    names = bind_arguments(run, function, args)
    if names is None:
        return NOTHING_KNOWN  # Python would not take the call
    result = run.run_function(function, names)
    if {"contextmanager", "asynccontextmanager"} & function.marks:
        return Made("context", (result,))
    return run.unknown(result, *args.list_values()) if "strange" in function.marks else result


def bind_arguments(run: Interpreter, function: Function, args: Arguments) -> dict[str, Value] | None:
    """The values of a function's parameters; None where Python would not take the call."""
    node = function.node
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    spec = node.args
    positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    keyword_only = [a.arg for a in spec.kwonlyargs]
    names: dict[str, Value] = dict(zip(positional, args.positions, strict=False))
    beyond = args.positions[len(positional) :]
    if beyond and spec.vararg is None:
        return None
    extra: dict[object, Value] = {}
    by_name = {*positional[len(spec.posonlyargs) :], *keyword_only}
    for name, value in args.keywords.items():
        if name in by_name and name not in names:
            names[name] = value
        elif spec.kwarg is not None and name not in by_name:
            extra[name] = value
        else:
            return None
    for name in (*positional, *keyword_only):
        if name in names:
            continue
        unnamed = _find_unnamed(run, args, name, function.defaults.get(name))
        if unnamed is None:
            return None
        names[name] = unnamed
    if spec.vararg is not None:
        names[spec.vararg.arg] = run.store.add(Thing("tuple"), Items(tuple(beyond), args.rest))
    if spec.kwarg is not None:
        content = contents.merge_mappings(run, [*args.spreads, Fields(extra)])
        names[spec.kwarg.arg] = run.store.add(Thing("dict"), content)
    return names


def _find_unnamed(run: Interpreter, args: Arguments, name: str, default: Value | None) -> Value | None:
    """A parameter that no argument names: of a spread mapping, of positions that nobody counted, or its default."""
    options: list[Value] = []
    for value in args.spreads:
        options += iter_present(contents.read_item(run, value, contents.make_const(name), MISSING))
    if args.rest is not None:
        options.append(args.rest)
    if not options:
        return default
    return join(*options, *([default] if default is not None else []))


def define_function(run: Interpreter, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """`def`: the function, as its decorators leave it."""
    marks = run.list_marks(node.decorator_list)
    words = [word for word, _ in marks]
    if "overload" in words or {"setter", "deleter"} & {*words}:
        return
    own = frozenset(word for word in words if word in KEEPING)
    strange = [w for w, v in marks if w not in KEEPING and w not in VALIDATORS and isinstance(v, Unknown)]
    validating = VALIDATORS & {*words}
    if validating and run.frame.cls:
        run.store.write(run.frame.cls, "<validated>", Const(True, "bool"))
    value: Value = run.make_function(node, own | ({"strange"} if strange else frozenset()))
    if strange and not run.frame.cls:
        run.pending.append((value, run.guarded))
    for word, decorator in marks:
        if word not in KEEPING and not isinstance(decorator, Unknown):
            value = call(run, decorator, Arguments([value]))
    run.bind_name(node.name, value)


# ---- classes


def define_class(run: Interpreter, node: ast.ClassDef) -> None:
    """`class`: its body is run as what it is, with names of its own."""

    bases = [run.evaluate(base) for base in node.bases]
    frame = run.frame
    outer = f"{run.store.things[frame.cls].name}." if frame.cls else ""
    ref = run.store.add(Thing("class", name=f"{outer}{node.name}", path=frame.path))
    run.store.write(ref.number, "<bases>", Items(tuple(bases)))
    own = [base for base in bases if isinstance(base, Ref)]
    words = {word for word, _ in run.list_marks(node.decorator_list)}
    outside = {base.name.rpartition(".")[2] for base in bases if isinstance(base, Unknown)}
    record = next(iter(words & RECORDS), "") or next(iter(outside & RECORD_BASES), "")
    inherited = [run.store.read(base.number, "<record>") for base in own]
    if record or any(inherited):
        kind = Const(record, "str") if record else next(i for i in inherited if i)
        run.store.write(ref.number, "<record>", kind)
    strange = any(k.arg == "metaclass" for k in node.keywords) or bool(words - RECORDS - KEEPING - {"total_ordering"})
    if any(word.endswith(("Enum", "Flag")) for word in outside):
        run.store.write(ref.number, "<enum>", Const(True, "bool"))
    around = frame.around if frame.cls else (frame.number, *frame.around)
    run.frames = [*run.frames, Frame(ref.number, frame.path, around, cls=ref.number)]
    run.run_block(node.body)
    run.frames = run.frames[:-1]
    for name in run.store.list_names(ref.number):
        value = run.store.read(ref.number, name)
        if is_value(value):
            run.class_members[ref.number, name] = value
            agent = run.components.get((frame.path, run.store.things[ref.number].name))
            if agent is not None and isinstance(value, Function) and agent.method(name) is not None:
                run.methods[value] = agent, name
    for name in run.store.list_names(ref.number):
        value = run.store.read(ref.number, name)
        is_object = isinstance(value, Ref) and run.store.things[value.number].kind == "instance"
        setter = contents.find_member(run, value, "__set_name__") if isinstance(value, Ref) and is_object else None
        if setter is not None:
            call(run, setter, Arguments([ref, Const(name, "str")]))
    for base in own:
        hook = contents.find_member(run, base, "__init_subclass__")
        if isinstance(hook, Function):
            call(run, hook, Arguments([ref]))
    if outside - PLAIN_BASES:  # whoever made the base class will make an object of it, and call what it defines
        members = [run.store.read(ref.number, name) for name in run.store.list_names(ref.number)]
        functions = [m for m in members if isinstance(m, Function) and "staticmethod" not in m.marks]
        run.pending += [(Bound(function, NOTHING_KNOWN), run.guarded) for function in functions]
    if strange and not (words & {"subscribe", "publishes", "depends_on", "contract"}):
        run.store.write(ref.number, "<strange>", Const(True, "bool"))
    run.bind_name(node.name, ref)


def note_field(run: Interpreter, cls: int, name: str, annotation: ast.expr, value: ast.expr | None) -> None:
    """`name: type = value` in a class."""
    text = annotation.id if isinstance(annotation, ast.Name) else ""
    if not (isinstance(annotation, ast.Subscript) and getattr(annotation.value, "id", "") == "ClassVar"):
        run.store.write(cls, f"<field {name}>", Const(text, "str"))
        words = {last_name(part.func) for part in ast.walk(annotation) if isinstance(part, ast.Call)}
        if any(word.endswith("Validator") for word in words):
            run.store.write(cls, f"<converted {name}>", Const(True, "bool"))
        if isinstance(value, ast.Call):
            for keyword in value.keywords:
                if keyword.arg == "converter":
                    run.store.write(cls, f"<converted {name}>", Const(True, "bool"))
                if keyword.arg in ("alias", "validation_alias") and isinstance(keyword.value, ast.Constant):
                    run.store.write(cls, f"<alias {name}>", Const(keyword.value.value, "str"))


def make_object(run: Interpreter, cls: int, args: Arguments) -> Value:
    """`Class(…)`."""
    lineage = contents.list_lineage(run, cls)
    if any(run.store.read(n, "<enum>") or run.store.read(n, "<strange>") for n in lineage):
        return run.unknown(*args.list_values())
    if any(run.store.read(number, "__new__") is not None for number in lineage):
        return run.unknown(*args.list_values())
    record = run.store.read(cls, "<record>")
    if _is_mapping_class(run, lineage):
        content = contents.merge_mappings(run, [*args.positions, *args.spreads, Fields(dict(args.keywords))])
        return run.store.add(Thing("dict", cls=cls), content)
    ref = run.store.add(Thing("instance", cls=cls))
    init = contents.find_member(run, ref, "__init__")
    if record is not None and init is None:
        return _make_record(run, ref, lineage, args, isinstance(record, Const) and record.value == "TypedDict")
    if init is not None:
        call(run, init, args)
    return ref


def _is_mapping_class(run: Interpreter, lineage: list[int]) -> bool:
    """`class Row(dict)` that is made, filled and read as a dict is."""
    changing = ("__init__", "__getitem__", "__setitem__", "__missing__", "__iter__")
    if any(run.store.read(cls, word) is not None for cls in lineage for word in changing):
        return False
    bases = [bases for cls in lineage if isinstance(bases := run.store.read(cls, "<bases>"), Items)]
    names = [base.name.rpartition(".")[2] for some in bases for base in some.values if isinstance(base, Unknown)]
    return bool({"dict", "UserDict", "OrderedDict"} & {*names})


def _make_record(run: Interpreter, ref: Ref, lineage: list[int], args: Arguments, is_dict: bool) -> Value:
    if is_dict:
        content = contents.merge_mappings(run, [*args.positions, *args.spreads, Fields(dict(args.keywords))])
        return run.store.add(Thing("dict"), content)
    names = contents.list_fields(run, lineage)
    args = _name_by_field(run, lineage, args)
    by_field = dict(zip(names, args.positions, strict=False)) | args.keywords
    is_validated = any(run.store.read(number, "<validated>") for number in lineage)
    for name in names:
        value = by_field.get(name)
        if value is None:
            cell = next((f for n in lineage if (f := run.store.read(n, name)) is not None), None)
            default = cell if is_value(cell) else None
            if isinstance(default, Unknown) and args.keywords:  # `field(alias="…")` may take any of the others
                others = [v for k, v in args.keywords.items() if k not in names]
                default = run.unknown(default, *others) if others else Unknown()
            value = _find_unnamed(run, args, name, default) or NOTHING_KNOWN
        is_converted = any(run.store.read(number, f"<converted {name}>") for number in lineage)
        run.store.write(ref.number, name, run.unknown(value) if is_validated or is_converted else value)
    run.store.write(ref.number, "<made>", Const(True, "bool"))
    after = contents.find_member(run, ref, "__post_init__") or contents.find_member(run, ref, "__attrs_post_init__")
    if after is not None:
        call(run, after, Arguments())
    return ref


def _name_by_field(run: Interpreter, lineage: list[int], args: Arguments) -> Arguments:
    """Arguments under the names of the fields: `Field(alias="left")` says by which name one is given."""
    fields: dict[str, str] = {}
    for cls in lineage:
        for cell in run.store.list_names(cls):
            alias = run.store.read(cls, cell) if cell.startswith("<alias ") else None
            if isinstance(alias, Const) and str(alias.value) not in fields:
                fields[str(alias.value)] = cell[7:-1]
    keywords = {fields.get(name, name): value for name, value in args.keywords.items()}
    return Arguments(args.positions, keywords, args.rest, args.spreads)


# ---- contexts and assertions


def is_catching(context: Value) -> bool:
    """`with suppress(…)`, `with pytest.raises(…)`: what fails in it is not noticed, or wanted."""
    return any(
        isinstance(option, Unknown) and option.name.removesuffix("()").rpartition(".")[2] in CATCHING
        for option in list_options(context)
    )


def observe_assertion(run: Interpreter, test: ast.expr) -> None:
    """`assert test`: which values are held to be equal to something, and which to differ.

    What a component's method left behind in an object is held with it, where the test looks there.
    """
    was, run.store.looked_at, run.store.looked_inside = run.store.looked_at, set(), set()
    try:
        _observe(run, test)
    finally:
        run.store.looked_at = was


def _observe(run: Interpreter, test: ast.expr) -> None:
    match test:
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [run.evaluate(left), *(run.evaluate(other) for other in others)]
            if all(isinstance(op, HOLDING) for op in ops):
                library.see_assertion(run, values, True)
            elif any(isinstance(op, ast.NotEq | ast.IsNot | ast.NotIn) for op in ops):
                library.see_assertion(run, values, False)
        case ast.BoolOp(op=ast.And(), values=parts):
            for part in parts:
                observe_assertion(run, part)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            library.see_assertion(run, [run.evaluate(operand)], False)
        case _:
            value = run.evaluate(test)
            is_boolean = run.observer is not None and run.observer.is_boolean(run, value)
            if is_boolean or (isinstance(test, ast.Call) and last_name(test.func) in PREDICATES):
                library.see_assertion(run, [value, Const(True, "bool")], True)
