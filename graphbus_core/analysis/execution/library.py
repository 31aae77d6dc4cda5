"""What Python's library and a few others do with values: which they hand on, and which functions they call.

Only what leaves a value as it is stands here; anything else makes something of what it is given, and that is the rule
for all that is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from graphbus_core.analysis.execution import contents, expressions, publications
from graphbus_core.analysis.execution.state import (
    INSIDE,
    MISSING,
    NONE,
    NOTHING_KNOWN,
    Arguments,
    Bound,
    Const,
    Fields,
    Function,
    Items,
    Made,
    Publication,
    Ref,
    Thing,
    Unknown,
    Value,
    is_value,
    iter_present,
    join,
    list_options,
)

if TYPE_CHECKING:
    from graphbus_core.analysis.execution.interpreter import Interpreter

Handler = Callable[["Interpreter", "Arguments", str], "Value | None"]


def spread_positions(run: Interpreter, value: Value) -> Items:
    """What `*value` gives to parameters, by position.

    Of a record's values nobody then says which is which: their order stands in no contract, so something is made of it.
    """
    items = contents.iterate(run, value)
    refs = [option for option in list_options(value) if isinstance(option, Ref)]
    in_order = any(
        run.store.things[r.number].name == contents.IN_ORDER or contents.is_named_tuple(run, r) for r in refs
    )
    if len(items.values) > 1 and in_order:
        return Items(tuple(run.unknown(v) for v in items.values), items.rest)
    return items


def _add_list(run: Interpreter, items: Items, kind: str = "list") -> Ref:
    return run.store.add(Thing(kind), items)


def _everything(items: Items) -> Value:
    values = [v for v in (*items.values, items.rest) if v is not None]
    return join(*values) if values else NOTHING_KNOWN


def call_each(run: Interpreter, function: Value, rows: Items, unpack: bool = False) -> Items:
    """What a function gives for each element."""

    result = run.store.add(Thing("list"), Items())

    def take(element: Value) -> str:
        positions = [element]
        if unpack:
            inner = spread_positions(run, element)
            positions = [*inner.values, *([inner.rest] if inner.rest is not None else [])]
        contents.append(run, result, run.call(function, Arguments(positions)))
        return "normal"

    run.run_loop(take, rows)
    content = run.store.inside(result)
    return content if isinstance(content, Items) else Items()


# ---- builtins


def _copy(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`dict(…)`, `list(x)`, `copy(x)`: another object of the same things."""
    word = name.rpartition(".")[2]
    if word in ("dict", "OrderedDict", "ChainMap", "MappingProxyType"):
        parts = [*reversed(args.positions)] if word == "ChainMap" else args.positions
        content = contents.merge_mappings(run, [*parts, *args.spreads, Fields(dict(args.keywords))])
        return run.store.add(Thing("dict"), content)
    if not args.positions:
        return _add_list(run, Items())
    return contents.copy_object(run, args.positions[0], word)


def _copy_mapping(run: Interpreter, args: Arguments, name: str) -> Value | None:
    return _copy(run, args, "dict")


def _variable(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`ContextVar("row", default=None)`: holds what was set last."""
    given = args.keywords.get("default")
    return run.store.add(Thing("list", name="variable"), Items((given,) if given is not None else ()))


def _set_variable(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    run.store.write(ref.number, INSIDE, Items(tuple(args.positions[:1])))
    return NONE


def _reorder(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`sorted(x)`, `set(x)`: the same elements, in an order that nobody tells."""
    if not args.positions:
        return _add_list(run, Items())
    items = contents.iterate(run, args.positions[0])
    for key in iter_present(args.keywords.get("key")):
        call_each(run, key, Items((), _everything(items)))
    if len(items.values) <= 1 and items.rest is None:
        return _add_list(run, items)
    return _add_list(run, Items((), _everything(items)))


def _reversed(run: Interpreter, args: Arguments, name: str) -> Value | None:
    items = contents.iterate(run, args.positions[0]) if args.positions else Items()
    return _add_list(run, Items(items.values[::-1]) if items.rest is None else Items((), _everything(items)))


def _enumerate(run: Interpreter, args: Arguments, name: str) -> Value | None:
    items = contents.iterate(run, args.positions[0]) if args.positions else Items()
    is_plain = len(args.positions) == 1 and not args.keywords
    rows = [
        _add_list(run, Items((contents.make_const(i) if is_plain else Unknown(), value)), "tuple")
        for i, value in enumerate(items.values)
    ]
    rest = _add_list(run, Items((Unknown(), items.rest)), "tuple") if items.rest is not None else None
    return _add_list(run, Items(tuple(rows), rest))


def _zip(run: Interpreter, args: Arguments, name: str) -> Value | None:
    columns = [contents.iterate(run, position) for position in args.positions]
    if args.rest is not None or not columns:
        return _add_list(run, Items((), run.unknown(*args.list_values())))
    if all(column.rest is None for column in columns):
        lengths = [len(column.values) for column in columns]
        count = max(lengths) if name.endswith("longest") else min(lengths)
        rows = [tuple(column.values[i] if i < len(column.values) else NONE for column in columns) for i in range(count)]
        return _add_list(run, Items(tuple(_add_list(run, Items(row), "tuple") for row in rows)))
    # Which of one stands beside which of another nobody tells: pairs of anything that lies in each.
    row = _add_list(run, Items(tuple(_everything(column) for column in columns)), "tuple")
    return _add_list(run, Items((), row))


def _map(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`map(f, rows)`, `pool.map(f, rows)`, `starmap(f, rows)`."""
    if len(args.positions) < 2:
        return None
    function, *rows = args.positions
    is_starred = name.rpartition(".")[2].startswith("starmap")
    if len(rows) == 1 or is_starred:
        return _add_list(run, call_each(run, function, contents.iterate(run, rows[0]), is_starred))

    zipped = _zip(run, Arguments(rows), "zip")
    return _add_list(run, call_each(run, function, contents.iterate(run, zipped or NOTHING_KNOWN), True))


def _filter(run: Interpreter, args: Arguments, name: str) -> Value | None:
    if len(args.positions) != 2:
        return None
    items = contents.iterate(run, args.positions[1])
    if args.positions[0] != NONE:
        call_each(run, args.positions[0], items)
    return _add_list(run, Items((), _everything(items)))


def _next(run: Interpreter, args: Arguments, name: str) -> Value | None:
    if not args.positions:
        return None
    iterator = args.positions[0]
    items = contents.iterate(run, iterator)
    default = args.positions[1:2]
    if items.values and not default:
        if isinstance(iterator, Ref):
            run.store.write(iterator.number, INSIDE, Items(items.values[1:], items.rest))
        return items.values[0]
    return join(*(v for v in (*items.values[:1], items.rest, *default) if v is not None))


def _getattr(run: Interpreter, args: Arguments, name: str) -> Value | None:
    word = contents.read_const(args.positions[1]) if len(args.positions) > 1 else MISSING
    if not isinstance(word, str):
        contents.note_dispatch(run, args.positions[:1])
        return None
    value = contents.read_attribute(run, args.positions[0], word)
    return join(value, args.positions[2]) if len(args.positions) > 2 else value


def _setattr(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`setattr(x, "name", value)`, `operator.setitem(x, "key", value)`, `monkeypatch.setattr(Mill, "grind", fake)`."""
    if len(args.positions) < 3:
        run.is_patched = True  # by its dotted name
        return NONE
    container, key, value = args.positions[:3]
    word = contents.read_const(key)
    for option in list_options(container):
        if name.endswith("setitem"):
            contents.store_item(run, option, key, value)
        elif isinstance(word, str):
            contents.store_attribute(run, option, word, value)
        elif isinstance(option, Ref):
            contents.spoil(run, option)
    return NONE


def _spoil_argument(run: Interpreter, args: Arguments, name: str) -> Value | None:
    for value in args.positions[:1]:
        for option in list_options(value):
            if isinstance(option, Ref):
                contents.spoil(run, option)
    return NONE


def _vars(run: Interpreter, args: Arguments, name: str) -> Value | None:
    if not args.positions:
        names = {n: run.store.read(run.frame.number, n) for n in run.store.list_names(run.frame.number)}
        plain = {n: v for n, v in names.items() if is_value(v)}
        return run.store.add(Thing("dict"), Fields(plain))
    owner = args.positions[0]
    if isinstance(owner, Ref) and run.store.things[owner.number].kind == "instance":
        return Made(contents.ATTRIBUTES, (owner,))
    return contents.make_dict(run, owner)


def _asdict(run: Interpreter, args: Arguments, name: str) -> Value | None:
    is_plain = args.positions and not (args.keywords.keys() - {"recurse"})
    return contents.make_dict(run, args.positions[0]) if is_plain else None


def _astuple(run: Interpreter, args: Arguments, name: str) -> Value | None:
    value = args.positions[0] if args.positions else NOTHING_KNOWN
    if isinstance(value, Ref) and run.store.things[value.number].kind == "instance":
        lineage = contents.list_lineage(run, run.store.things[value.number].cls)
        fields = contents.list_fields(run, lineage)
        values = tuple(contents.read_attribute(run, value, f) for f in fields)
        return run.store.add(Thing("tuple", name=contents.IN_ORDER), Items(values))
    return None


def _replace(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`dataclasses.replace(x, a=…)`, `attrs.evolve`, `copy.replace`."""
    new = contents.copy_object(run, args.positions[0]) if args.positions else NOTHING_KNOWN
    for option in list_options(new):
        for key, value in args.keywords.items():
            if isinstance(option, Ref) and isinstance(run.store.inside(option), Fields):
                contents.store_item(run, option, contents.make_const(key), value)
            else:
                contents.store_attribute(run, option, key, value)
    return new


def _pass_on(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`asyncio.run(x)`, `cast(T, x)`: its last argument as it is."""
    return expressions.resolve_future(run, args.positions[-1]) if args.positions else NONE


def _pass_first(run: Interpreter, args: Arguments, name: str) -> Value | None:
    return expressions.resolve_future(run, args.positions[0]) if args.positions else NONE


def _gather(run: Interpreter, args: Arguments, name: str) -> Value | None:
    values = tuple(expressions.resolve_future(run, value) for value in args.positions)
    return _add_list(run, Items(values, expressions.resolve_future(run, args.rest) if args.rest is not None else None))


def _hand_over(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`to_thread(f, x)`, `pool.submit(f, x)`, `loop.run_in_executor(pool, f, x)`: a call of `f`, for later."""

    first = 1 if name.endswith("run_in_executor") else 0
    if len(args.positions) <= first:
        return None
    function, *positions = args.positions[first:]
    keywords = dict(args.keywords)
    if name.endswith(("apply", "apply_async")):  # of a pool of processes: `apply(f, (x,), {…})`
        positions = [*contents.iterate(run, positions[0]).values] if positions else []
        more = keywords.pop("kwds", args.positions[2] if len(args.positions) > 2 else None)
        given = Arguments(positions)
        if more is not None:
            expressions.spread(run, given, more)
    else:
        given = Arguments(positions, keywords, args.rest, args.spreads)
    result = run.call(function, given)
    return result if name.endswith("apply") else Made("future", (result,))


def _make_task(run: Interpreter, args: Arguments, name: str) -> Value | None:
    return Made("future", (expressions.resolve_future(run, args.positions[0]),)) if args.positions else None


def _make(kind: str) -> Handler:
    return lambda run, args, name: (
        Made(kind, tuple(args.positions), tuple(args.keywords.items()))
        if args.rest is None and not args.spreads
        else None
    )


def _thread(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`Thread(target=f, args=(x,), kwargs={…})`, `Timer(5, f, (x,))`: it is started sooner or later."""

    positions = args.positions[1:]
    target = args.keywords.get("target", args.keywords.get("function", positions[0] if positions else None))
    if target is None:
        return None
    given = Arguments(
        [
            *contents.iterate(
                run,
                args.keywords.get(
                    "args", positions[1] if len(positions) > 1 and name.endswith("Timer") else _add_list(run, Items())
                ),
            ).values
        ]
    )
    if (more := args.keywords.get("kwargs")) is not None:
        expressions.spread(run, given, more)
    run.call(target, given)
    return Unknown("thread")


def _queue(run: Interpreter, args: Arguments, name: str) -> Value | None:
    return run.store.add(Thing("list", name="queue"), Items())


def _deque(run: Interpreter, args: Arguments, name: str) -> Value | None:
    return _add_list(run, contents.iterate(run, args.positions[0]) if args.positions else Items())


def _namespace(run: Interpreter, args: Arguments, name: str) -> Value | None:
    content = contents.merge_mappings(run, [*args.positions, *args.spreads, Fields(dict(args.keywords))])
    return run.store.add(Thing("dict", name="namespace"), content)


def _defaultdict(run: Interpreter, args: Arguments, name: str) -> Value | None:
    if len(args.positions) != 1 or args.keywords or args.spreads:
        return run.store.add(Thing("dict"), Fields({}, (), NOTHING_KNOWN))
    ref = run.store.add(Thing("dict", name=contents.FILLING), Fields())
    run.store.write(ref.number, "<factory>", args.positions[0])
    return ref


def _take_some(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`islice(rows, 3)`, `takewhile(f, rows)`: some of the elements, in their order."""
    word = name.rpartition(".")[2]
    rows = args.positions[1:] if word in ("takewhile", "dropwhile", "filterfalse") else args.positions[:1]
    if not rows:
        return None
    return _add_list(run, Items((), _everything(contents.iterate(run, rows[0]))))


def _groupby(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """Pairs of a key and some of the elements."""
    if not args.positions:
        return None
    items = contents.iterate(run, args.positions[0])
    for key in iter_present(args.keywords.get("key", args.positions[1] if len(args.positions) > 1 else None)):
        call_each(run, key, Items((), _everything(items)))
    some = _add_list(run, Items((), _everything(items)))
    return _add_list(run, Items((), _add_list(run, Items((Unknown(), some)), "tuple")))


def _heap_push(run: Interpreter, args: Arguments, name: str) -> Value | None:
    for heap in list_options(args.positions[0]) if len(args.positions) == 2 else ():
        if isinstance(heap, Ref):
            _insert(run, heap, Arguments(args.positions[1:]))
    return NONE


def _heap_pop(run: Interpreter, args: Arguments, name: str) -> Value | None:
    return _everything(contents.iterate(run, args.positions[0])) if args.positions else None


def _chain(run: Interpreter, args: Arguments, name: str) -> Value | None:
    parts = [contents.iterate(run, position) for position in args.positions]
    if name.endswith("from_iterable") and parts:
        parts = [contents.iterate(run, v) for v in (*parts[0].values, parts[0].rest) if v is not None]
        parts = (
            parts
            if contents.iterate(run, args.positions[0]).rest is None
            else [Items((), _everything(p)) for p in parts]
        )
    values = tuple(v for p in parts for v in p.values)
    rests = [p.rest for p in parts if p.rest is not None]
    return _add_list(run, Items(values, join(*rests) if rests else None))


def _reduce(run: Interpreter, args: Arguments, name: str) -> Value | None:

    if len(args.positions) < 2:
        return None
    items = contents.iterate(run, args.positions[1])
    if items.rest is not None:
        return None
    function, values = args.positions[0], list(items.values)
    state = args.positions[2] if len(args.positions) > 2 else values.pop(0) if values else NOTHING_KNOWN
    for value in values[:20]:
        state = run.call(function, Arguments([state, value]))
    return state


def _range(run: Interpreter, args: Arguments, name: str) -> Value | None:
    bounds = [contents.read_const(value) for value in args.positions]
    whole = [b for b in bounds if isinstance(b, int)]
    if whole and len(whole) == len(bounds) and 0 not in whole[2:]:
        numbers = range(*whole)
        if len(numbers) <= 64:
            return _add_list(run, Items(tuple(contents.make_const(n) for n in numbers)))
    return _add_list(run, Items((), Unknown()))


def _len(run: Interpreter, args: Arguments, name: str) -> Value | None:
    if len(args.positions) == 1 and isinstance(args.positions[0], Ref):
        content = run.store.inside(args.positions[0])
        if isinstance(content, Items) and content.rest is None:
            return contents.make_const(len(content.values))
    return None


def _bool(run: Interpreter, args: Arguments, name: str) -> Value | None:
    truth = contents.is_true(run, args.positions[0]) if args.positions else False
    return contents.make_const(truth) if truth is not None else None


def _text(run: Interpreter, args: Arguments, name: str) -> Value | None:
    literal = contents.read_const(args.positions[0]) if len(args.positions) == 1 else MISSING
    return contents.make_const(str(literal)) if isinstance(literal, str | int | bool) else None


def _import(run: Interpreter, args: Arguments, name: str) -> Value | None:
    word = contents.read_const(args.positions[0]) if args.positions else MISSING
    found = run.find_module(word, run.frame.path) if isinstance(word, str) else None
    return None if found == MISSING else found


def _signature(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`inspect.signature(f)`: whose `parameters` are a mapping by name, without the object of a method."""
    callee = args.positions[0] if args.positions else None
    function = callee.function if isinstance(callee, Bound) else callee
    if not isinstance(function, Function):
        return None
    node = function.node
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    names = names[1:] if isinstance(callee, Bound) and callee.receiver != MISSING else names
    parameters = run.store.add(Thing("dict"), Fields(dict.fromkeys(names, NOTHING_KNOWN)))
    return _namespace(run, Arguments([], {"parameters": parameters}), name)


def _globals(run: Interpreter, args: Arguments, name: str) -> Value | None:
    number = run.frame.around[-1] if run.frame.around else run.frame.number
    names = {n: run.store.read(number, n) for n in run.store.list_names(number)}
    return run.store.add(Thing("dict"), Fields({n: v for n, v in names.items() if is_value(v)}))


def _namedtuple(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`namedtuple("Row", "a b")`, `make_dataclass("Row", [...])`: a class with these fields."""
    if len(args.positions) < 2:
        return None
    literal = contents.read_const(args.positions[1])
    names: list[object] = list(literal.replace(",", " ").split()) if isinstance(literal, str) else []
    for value in contents.iterate(run, args.positions[1]).values if not isinstance(literal, str) else ():
        inner = value if isinstance(value, Const) else contents.read_item(run, value, contents.make_const(0))
        names.append(contents.read_const(inner))
    if not names or not all(isinstance(n, str) for n in names):
        return None
    ref = run.store.add(Thing("class", name=str(contents.read_const(args.positions[0])), path=run.frame.path))
    run.store.write(ref.number, "<record>", Const("NamedTuple", "str"))
    for field_name in names:
        run.store.write(ref.number, f"<field {field_name}>", Const("", "str"))
    return ref


def _enter(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`stack.enter_context(x)`, `contextlib.closing(x)`."""
    return enter_context(run, args.positions[0]) if args.positions else None


HOLDING = frozenset({"assertTrue", "assertIn", "assertGreater", "assertLess", "assertRegex"})


def _assert_equal(run: Interpreter, args: Arguments, name: str) -> Value | None:
    word = name.rpartition(".")[2]
    if word in ("assertNotEqual", "assertFalse", "assertIsNone", "assertNotIn", "assertIsNot"):
        see_assertion(run, args.positions, False)
    elif word in HOLDING or word.startswith(("assertEqual", "assertIs")) or word.endswith("Equal"):
        see_assertion(run, args.positions, True)
    return NONE


def _run_cases(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`unittest.main()`: every test case of the file."""
    for word in run.store.list_names(run.frame.number):
        cls = run.store.read(run.frame.number, word)
        if not isinstance(cls, Ref) or run.store.things[cls.number].kind != "class":
            continue
        tests = [test for test in run.store.list_names(cls.number) if test.startswith("test")]
        for test in tests:
            owner = run.call(cls, Arguments())
            for step in ("setUp", test):
                member = contents.find_member(run, owner, step) if isinstance(owner, Ref) else None
                if member is not None:
                    run.call(member, Arguments())
    return NONE


def _decorate(run: Interpreter, args: Arguments, name: str) -> Value | None:
    """`cache(f)`, `wraps(f)`, `lru_cache(maxsize=…)`: what is decorated stays as it is."""
    is_function = len(args.positions) == 1 and isinstance(args.positions[0], Function | Bound)
    return args.positions[0] if is_function else Made("identity")


# By the last word. A word that other things have as well stands with its module.
LIBRARY: dict[str, Handler] = {
    **dict.fromkeys(
        ("dict", "list", "tuple", "copy", "deepcopy", "iter", "OrderedDict", "MappingProxyType", "ChainMap"), _copy
    ),
    **dict.fromkeys(("sorted", "set", "frozenset", "as_completed"), _reorder),
    **dict.fromkeys(("zip", "zip_longest"), _zip),
    **dict.fromkeys(("map", "starmap", "imap", "imap_unordered", "starmap_async"), _map),
    **dict.fromkeys(("setattr", "setitem"), _setattr),
    **dict.fromkeys(("shuffle", "insort", "heapify"), _spoil_argument),
    **dict.fromkeys(("asdict", "unstructure"), _asdict),
    **dict.fromkeys(("replace", "evolve"), _replace),
    **dict.fromkeys(
        ("to_thread", "submit", "run_in_executor", "apply", "apply_async", "run_sync", "run_in_threadpool"), _hand_over
    ),
    **dict.fromkeys(("create_task", "ensure_future", "start_soon"), _make_task),
    **dict.fromkeys(("Thread", "Timer", "Process"), _thread),
    **dict.fromkeys(("Queue", "SimpleQueue", "LifoQueue", "PriorityQueue", "JoinableQueue"), _queue),
    **dict.fromkeys(("chain", "from_iterable"), _chain),
    **dict.fromkeys(("namedtuple", "make_dataclass"), _namedtuple),
    **dict.fromkeys(("cache", "lru_cache", "wraps", "update_wrapper", "singledispatch"), _decorate),
    **dict.fromkeys(("import_module", "__import__"), _import),
    "reversed": _reversed,
    "unittest.main": _run_cases,
    "enumerate": _enumerate,
    "filter": _filter,
    "next": _next,
    "anext": _next,
    "aiter": _copy,
    "getattr": _getattr,
    "vars": _vars,
    "locals": _vars,
    "globals": _globals,
    "signature": _signature,
    "astuple": _astuple,
    "cast": _pass_on,
    "gather": _gather,
    "asyncio.run": _pass_first,
    "anyio.run": lambda run, args, name: (
        run.call(args.positions[0], Arguments(args.positions[1:])) if args.positions else None
    ),
    "run_until_complete": _pass_first,
    "wait_for": _pass_first,
    "shield": _pass_first,
    "nullcontext": _pass_first,
    "object.__setattr__": _setattr,
    "partialmethod": _make("partialmethod"),
    "ContextVar": _variable,
    "threading.local": _namespace,
    "UserDict": _copy_mapping,
    "closing": _pass_first,
    "enter_context": _enter,
    "enter_async_context": _enter,
    "partial": _make("partial"),
    "itemgetter": _make("itemgetter"),
    "attrgetter": _make("attrgetter"),
    "methodcaller": _make("methodcaller"),
    **dict.fromkeys(("islice", "takewhile", "dropwhile", "cycle"), _take_some),
    "groupby": _groupby,
    "heappush": _heap_push,
    "heappop": _heap_pop,
    "deque": _deque,
    "SimpleNamespace": _namespace,
    "defaultdict": _defaultdict,
    "reduce": _reduce,
    "range": _range,
    "len": _len,
    "bool": _bool,
    "str": _text,
}
OF_ANYTHING = frozenset(
    """submit map starmap imap imap_unordered starmap_async run_in_executor apply_async create_task start_soon
    run_until_complete enter_context enter_async_context setattr""".split()  # noqa: SIM905
)


def call_library(run: Interpreter, callee: Unknown, args: Arguments) -> Value | None:
    """What a function from outside gives, where it is one that is known."""
    name = callee.name
    word = name.rpartition(".")[2]
    if word.startswith("assert"):
        return _assert_equal(run, args, name)
    if "patch" in name.split(".")[-2:]:
        run.is_patched = True
    if name in ("capsys.readouterr", "capfd.readouterr"):
        printed, run.printed = run.printed, frozenset()
        return Unknown("", printed)
    if word in ("print", "isinstance", "hasattr", "type"):
        if word == "print" and run.observer is not None:
            run.observer.see_outside(run, name, args)
            run.printed |= run.store.collect_origins(args.list_values())
        return run.unknown(*args.list_values()) if word != "type" else _read_type(run, args)
    owner = name.rpartition(".")[0]
    is_method = "()" in owner or owner.startswith("?") or bool(callee.origins)
    if is_method and (word not in OF_ANYTHING or callee.origins):
        return None
    handler = LIBRARY.get(".".join(name.split(".")[-2:])) or LIBRARY.get(word)
    return handler(run, args, name) if handler is not None else None


def _read_type(run: Interpreter, args: Arguments) -> Value:
    if len(args.positions) == 1 and isinstance(args.positions[0], Ref):
        thing = run.store.things[args.positions[0].number]
        if thing.kind == "instance":
            return Ref(thing.cls)
    return run.unknown(*args.positions)


def call_made(run: Interpreter, callee: Made, args: Arguments) -> Value:
    """`partial(f, x)(y)`, `itemgetter("a", "b")(row)`, …"""

    match callee.kind:
        case "identity":
            return args.positions[0] if args.positions else NOTHING_KNOWN
        case "partial" if callee.parts:
            function, *first = callee.parts
            given = Arguments(
                [*first, *args.positions], {**dict(callee.named), **args.keywords}, args.rest, args.spreads
            )
            return run.call(function, given)
        case "itemgetter" | "attrgetter" if args.positions:
            return _get_several(run, callee, args.positions[0])
        case "methodcaller" if callee.parts and args.positions:
            word = contents.read_const(callee.parts[0])
            if isinstance(word, str):
                method = contents.read_attribute(run, args.positions[0], word)
                return run.call(method, Arguments(list(callee.parts[1:]), dict(callee.named)))
    return run.unknown(callee, *args.list_values())


def _get_several(run: Interpreter, callee: Made, value: Value) -> Value:
    results: list[Value] = []
    for part in callee.parts:
        word = contents.read_const(part)
        if callee.kind == "itemgetter":
            results.append(contents.read_item(run, value, part))
            continue
        inner = value
        for step in str(word).split("."):
            inner = contents.read_attribute(run, inner, step)
        results.append(inner)
    return results[0] if len(results) == 1 else _add_list(run, Items(tuple(results)), "tuple")


# ---- methods of what Python makes


def call_method(run: Interpreter, name: str, receiver: Value, args: Arguments) -> Value:
    """`rows.append(x)`, `row.get("k")`, `future.result()`: by what the object is."""
    word = name.rpartition(".")[2]
    handler: Callable[..., Value | None] | None = None
    if isinstance(receiver, Made):
        if receiver.kind == "future":
            handler = _FUTURE_METHODS.get(word)
        elif receiver.kind == contents.ATTRIBUTES:
            return _call_attributes(run, receiver, name, args)
    elif isinstance(receiver, Const):
        return _call_literal(run, receiver, word, args)
    elif isinstance(receiver, Ref):
        content = run.store.inside(receiver)
        if isinstance(content, Fields):
            handler = _MAPPING_METHODS.get(word)
            if handler is None and word in ("append", "extend", "insert"):
                handler = _LIST_METHODS.get(word)
        elif isinstance(content, Items):
            handler = _LIST_METHODS.get(word) or (_QUEUE_METHODS.get(word) if _is_queue(run, receiver) else None)
            if run.store.things[receiver.number].name == "variable":
                handler = _VARIABLE_METHODS.get(word)
        elif run.store.things[receiver.number].kind in ("instance", "class"):
            return _call_foreign_method(run, receiver, word, args)
    result = handler(run, receiver, args) if handler is not None else None
    if result is not None:
        return result
    return call_outside(run, f"?.{word}", args, receiver, to=publications.find_publication(run, word, receiver, args))


def _call_attributes(run: Interpreter, receiver: Made, name: str, args: Arguments) -> Value:
    """`vars(x).update(…)` sets attributes; what else is asked is asked of a mapping."""
    content = contents.make_dict(run, receiver.parts[0])
    result = call_method(run, name, content, args)
    for key in contents.list_keys(run, content) or () if name.endswith(".update") else ():
        value = contents.read_item(run, content, contents.make_const(key))
        contents.store_attribute(run, receiver.parts[0], str(key), value)
    return result


def _is_queue(run: Interpreter, ref: Ref) -> bool:
    return run.store.things[ref.number].name == "queue"


def _call_foreign_method(run: Interpreter, receiver: Ref, word: str, args: Arguments) -> Value:
    """A method that a base class outside of the project has: a record's, a test case's, a node's own."""

    if word.startswith("assert"):
        return _assert_equal(run, args, word) or NONE
    if word in publications.PUBLISHING:
        publications.publish(run, args)
    if word == "__setattr__":
        return _setattr(run, Arguments([receiver, *args.positions]), word) or NONE
    thing = run.store.things[receiver.number]
    if word in ("model_dump", "dict", "_asdict") and thing.kind == "instance":
        return contents.make_dict(run, receiver) if not args.keywords else run.unknown(receiver)
    if word in ("model_copy", "_replace", "copy") and thing.kind == "instance":
        new = contents.copy_instance(run, receiver, thing)
        updates = [args.keywords["update"]] if "update" in args.keywords else []
        if word == "_replace":
            updates = [run.store.add(Thing("dict"), Fields(dict(args.keywords)))]
        for update in updates:
            for key in contents.list_keys(run, update) or ():
                value = contents.read_item(run, update, contents.make_const(key))
                contents.store_attribute(run, new, str(key), value)
        return new
    if word in ("model_validate", "parse_obj", "from_dict", "model_construct") and thing.kind == "class":
        given = Arguments([], dict(args.keywords))
        for value in args.positions[:1]:
            expressions.spread(run, given, value)
        return run.call(receiver, given)
    return call_outside(run, f"?.{word}", args, to=publications.find_publication(run, word, receiver, args))


def _call_literal(run: Interpreter, receiver: Const, word: str, args: Arguments) -> Value:
    literals = [contents.read_const(value) for value in args.positions]
    if word in ("format", "format_map") and run.observer is not None:
        run.observer.see_outside(run, word, args)  # who formats a text finds its fields by their names
    if word == "join" and len(args.positions) == 1:
        items = contents.iterate(run, args.positions[0])
        texts = [contents.read_const(v) for v in items.values]
        if items.rest is None and all(isinstance(t, str) for t in texts) and isinstance(receiver.value, str):
            return contents.make_const(receiver.value.join(str(t) for t in texts))
    if MISSING in literals or args.keywords or args.spreads or args.rest is not None:
        return run.unknown(*args.list_values())
    try:
        result = getattr(receiver.value, word)(*literals)
    except Exception:
        return NOTHING_KNOWN
    if isinstance(result, list | tuple) and len(result) < 64:
        return _add_list(run, Items(tuple(contents.make_const(part) for part in result)))
    return contents.make_const(result)


def _get(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    if not args.positions:
        return None
    default = args.positions[1] if len(args.positions) > 1 else args.keywords.get("default")
    if default is None or default == NONE:
        content = run.store.inside(ref)
        literal = contents.read_const(args.positions[0])
        value = contents.read_item(run, ref, args.positions[0], NONE)
        is_laid = isinstance(content, Fields) and content.bases and literal is not MISSING
        return join(*(o for o in list_options(value) if o != NONE)) if is_laid and value != NONE else value
    value = contents.read_item(run, ref, args.positions[0], default)
    literal = contents.read_const(args.positions[0])
    content = run.store.inside(ref)
    # Of what a component gives, whether it gives this one or not: who writes a default reckons with it.
    is_opaque = isinstance(content, Fields) and bool(content.bases) and literal not in content.fields
    return join(value, default) if is_opaque else value


def _pop(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    value = _get(run, ref, args) if len(args.positions) > 1 else None
    if value is None and args.positions:
        value = contents.read_item(run, ref, args.positions[0])
    if args.positions:
        contents.store_item(run, ref, args.positions[0], MISSING)
    return value


def _setdefault(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    if len(args.positions) != 2:
        return None
    key, default = args.positions
    literal = contents.read_const(key)
    value = contents.read_item(run, ref, key, default)
    content = run.store.inside(ref)
    if isinstance(content, Fields) and content.bases and literal not in content.fields:
        value = join(value, default)
    contents.store_item(run, ref, key, value)
    return value


def _keys(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    names = contents.list_keys(run, ref)
    if names is None:
        return _add_list(run, Items((), run.unknown(ref)))
    return _add_list(run, Items(tuple(contents.make_const(name) for name in names)))


def _items(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    names = contents.list_keys(run, ref)
    if names is None:
        return _add_list(run, Items((), _add_list(run, Items((Unknown(), run.unknown(ref))), "tuple")))
    rows = []
    for name in names:
        key = contents.make_const(name)
        rows.append(_add_list(run, Items((key, contents.read_item(run, ref, key))), "tuple"))
    return _add_list(run, Items(tuple(rows)))


def _values(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    """The values in their order: of what a component gives, in the order in which its body writes them."""
    names = contents.list_keys(run, ref)
    content = run.store.inside(ref)
    if names is not None and isinstance(content, Fields) and content.bases:
        origin = run.store.things[content.bases[0]].origin
        real = run.results.get(origin.number) if origin is not None and not origin.keys else None
        written = contents.list_keys(run, real) if real is not None else None
        names = written if written is not None and {*written} == {*names} and not content.fields else None
    if names is None:
        return _add_list(run, Items((), run.unknown(ref)))
    values = [contents.read_item(run, ref, contents.make_const(name)) for name in names]
    return run.store.add(Thing("list", name=contents.IN_ORDER), Items(tuple(values)))


def _update(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    for value in (*args.positions, *args.spreads):
        contents.update_mapping(run, ref, value)
    if args.keywords:
        contents.update_mapping(run, ref, run.store.add(Thing("dict"), Fields(dict(args.keywords))))
    return NONE


def _dump(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    return contents.copy_object(run, ref) if not args.positions and not args.keywords else None


def _replace_fields(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    new = contents.copy_object(run, ref)
    for key, value in args.keywords.items():
        for option in list_options(new):
            contents.store_item(run, option, contents.make_const(key), value)
    return new


def _append(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    for value in args.positions[-1:]:
        contents.append(run, ref, value)
    return NONE


def _insert(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    content = run.store.inside(ref)
    value = args.positions[-1] if args.positions else NOTHING_KNOWN
    if isinstance(content, Items):
        everything = [v for v in (*content.values, content.rest, value) if v is not None]
        run.store.write(ref.number, INSIDE, Items((), join(*everything)))
    return NONE


def _extend(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    if args.positions:
        expressions.extend_in_place(run, ref, ast.Add(), args.positions[0])
    return NONE


def _take_out(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    """`rows.pop()`, `queue.get()`: one of what lies in it."""
    items = contents.iterate(run, ref)
    index = contents.read_const(args.positions[0]) if args.positions else -1
    if items.rest is None and isinstance(index, int) and -len(items.values) <= index < len(items.values):
        values = list(items.values)
        taken = values.pop(index)
        run.store.write(ref.number, INSIDE, Items(tuple(values)))
        return taken
    return _everything(items)


def _take_first(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    items = contents.iterate(run, ref)
    if items.values:
        run.store.write(ref.number, INSIDE, Items(items.values[1:], items.rest))
        return items.values[0]
    return _everything(items)


def _mix(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    """`rows.sort()`, `rows.reverse()`: in another order."""
    items = contents.iterate(run, ref)
    if len(items.values) > 1 or items.rest is not None:
        run.store.write(ref.number, INSIDE, Items((), _everything(items)))
    return NONE


def _clear(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    run.store.write(ref.number, INSIDE, Items())
    return NONE


def _same(run: Interpreter, ref: Ref, args: Arguments) -> Value | None:
    return contents.copy_object(run, ref)


def _future_result(run: Interpreter, future: Made, args: Arguments) -> Value | None:
    return future.parts[0]


def _call_back(run: Interpreter, future: Made, args: Arguments) -> Value | None:

    for function in args.positions[:1]:
        run.call(function, Arguments([future]))
    return NONE


_FUTURE_METHODS = {"result": _future_result, "get": _future_result, "add_done_callback": _call_back}
_MAPPING_METHODS = {
    "get": _get,
    "pop": _pop,
    "setdefault": _setdefault,
    "keys": _keys,
    "items": _items,
    "values": _values,
    "update": _update,
    "copy": _dump,
    "model_dump": _dump,
    "dict": _dump,
    "_asdict": _dump,
    "_replace": _replace_fields,
}
_LIST_METHODS = {
    "append": _append,
    "add": _append,
    "appendleft": _insert,
    "insert": _insert,
    "extend": _extend,
    "pop": _take_out,
    "popleft": _take_first,
    "sort": _mix,
    "reverse": _mix,
    "remove": _mix,
    "clear": _clear,
    "copy": _same,
}
_VARIABLE_METHODS = {"set": _set_variable, "get": lambda run, ref, args: _everything(contents.iterate(run, ref))}
_QUEUE_METHODS = {
    "put": _append,
    "put_nowait": _append,
    "get": _take_first,
    "get_nowait": _take_first,
}


def call_outside(run: Interpreter, name: str, args: Arguments, *with_it: Value, to: Publication | None = None) -> Value:
    """Code that is not of the project: what comes of it is made of what it is given, and it may call functions.

    `to`: the event as which it is sent, where the call is a component's publication.
    """
    for value in args.list_values():
        run.pending += [(option, run.guarded) for option in list_options(value) if isinstance(option, Function | Bound)]
    if run.observer is not None and to is not None:
        run.observer.see_publication(run, to)
    elif run.observer is not None:
        run.observer.see_outside(run, name, args)
    origins = run.store.collect_origins([*args.list_values(), *with_it])
    return Unknown(f"{name}()" if name else "", origins)


def see_assertion(run: Interpreter, values: list[Value], equal: bool) -> None:
    if run.observer is not None:
        run.observer.see_assertion(run, values, equal)


def enter_context(run: Interpreter, context: Value) -> Value:
    """What `with context as …` binds."""
    return join(*(_enter_one(run, option) for option in list_options(context)))


def _enter_one(run: Interpreter, context: Value) -> Value:
    match context:
        case Made(kind="context", parts=(yielded,)):
            items = contents.iterate(run, yielded)
            everything = [v for v in (*items.values, items.rest) if v is not None]
            return join(*everything) if everything else NOTHING_KNOWN
        case Ref(number=number) if run.store.things[number].kind == "instance":
            for word in ("__enter__", "__aenter__"):
                if (member := contents.find_member(run, context, word)) is not None:
                    return run.call(member, Arguments())
    return context
