"""Whether a node keeps anything between events, shown from its source; `engine` tells how.

What is known of a value
------------------------

A value is the set of all that an expression may stand for (`values`). Of each of these is known what can be done to it:

    Immutable           nothing changes it: a number, a text, a date; said only where that is known
    Site                an object, by the place that makes it, with all that may stand in it
    functions, classes  of the project: their code is followed wherever they are called, by whomever
    Outside, Method     of the library, by name: `library` lists what they do

What other nodes of the build change is told by `uses`, and by `peers`, which joins all nodes.

What outlives the call
----------------------

Whatever is made while modules, class bodies, decorators, defaults, `__init__` and `on_start` run; what a cache
remembers; what stands under a name of a module or class, in a closure, in an attribute of the node, a function or a
member of an enumeration; what the library keeps by itself; and whatever can be had from one of these. It is `lasting`.

How a value flows
-----------------

    by name             assignment, arguments, closures, results. A star may be too short: a default stays possible
    out of an object    items, elements, attributes. What an attribute of a lasting object gives, and nothing more is
                        known of, is that object's own part: a change of the part is a change of the object
    into an object      a container, a partial, a bound method, a hint, a slice, a field hold what they are given
    through the library its results hold what they were given, and what functions gave that it was handed, unless
                        `library` says that they hold nothing of it
    by Python itself    operators, patterns, `with`, iteration, descriptors, metaclasses call methods (`implicit`)

The text of a call counts for what is given only where it says all of it: no star, and nobody else who makes the call,
as `map`, a `partial` or a `methodcaller` does (`paths.says_all`).

Why an unknown use of a lasting value cannot pass
-------------------------------------------------

Each use of a lasting value either stands in a list of uses that change nothing (`library.READING_METHODS`,
`READING_OF`, operators) or is a note. A method, a function or an expression that no list names is a note, and what
it gives is lasting and unknown, so that each use of that is a note again. An attribute that no list names is a part
of its object. Where a value counts as immutable and is then changed (by an item, by a method that no immutable
thing has, by a list added to it in place), the mistake was ours, and this is a note too. So what may still be wrong
is a list that promises too much of the library, or a place that gives Immutable without knowing it: look there
first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from graphbus_core.artifacts.peers import Uses
from graphbus_core.artifacts.sharing.engine import Engine, LoadModule, Note
from graphbus_core.artifacts.sharing.keys import DICT
from graphbus_core.artifacts.sharing.objects import NODE_BASES
from graphbus_core.artifacts.sharing.standard_objects import can_be_called
from graphbus_core.artifacts.sharing.target import Target
from graphbus_core.artifacts.sharing.uses import list_uses
from graphbus_core.artifacts.sharing.values import (
    FLAG,
    KEYS,
    NOTHING,
    PLAIN,
    TEXT,
    WHOLE,
    ClassScope,
    FunctionValue,
    ModuleScope,
    Outside,
    Site,
    TooLarge,
    Value,
    Wrapped,
    join,
    reach,
)

MAX_ROUNDS = 40  # until nothing is new
# How a node is made and ends, and what it does in a negotiation: never while it handles an event.
SETUP_METHODS = frozenset(("__init__", "on_start", "on_stop", "set_state", "set_mode", "propose", "evaluate", "commit"))
_GIVEN = {"bus": "graphbus.bus", "memory": "graphbus.memory"}
_HINTED: dict[str, Value] = {
    "str": frozenset((TEXT,)),
    "int": frozenset((WHOLE, FLAG)),
    "bool": frozenset((FLAG,)),
    "float": PLAIN,
}
_PLAIN_TYPES = frozenset(("str", "int", "float", "bool", "bytes"))


def analyze(target: Target, load: LoadModule) -> tuple[list[Note], Uses]:
    """What speaks against sharing it, in the order of its source: nothing where it is shown to keep nothing. And what
    it uses that other nodes may use, too."""
    engine = Engine(load)
    notes, is_followed = _find_notes(engine, target)
    engine.load_module(target.module)
    cls = engine.attributes.node.cls if engine.attributes.node is not None else None
    module = engine.modules[target.module]
    where = f"{module.path if module is not None else target.module}:{cls.node.lineno if cls is not None else 1}"
    return notes, list_uses(engine, where, is_followed)


def _find_notes(engine: Engine, target: Target) -> tuple[list[Note], bool]:
    """Also, whether it was followed to the end."""
    try:
        for engine.round in range(MAX_ROUNDS):
            before = engine.changes
            engine.notes.clear()  # what a round knew too little of is told by the last one
            engine.trace.forget_unknown()
            if not _follow(engine, target):
                return [Note("its source cannot be read", target.module, 0)], False
            if engine.changes == before:
                return list(engine.notes), True
    except (TooLarge, RecursionError):
        pass
    return [*engine.notes, Note("it is too large to be followed", target.module, 0)], False


def _follow(engine: Engine, target: Target) -> bool:
    engine.handling, engine.lasting = False, True
    for name in [name for name, module in engine.modules.items() if module is not None]:
        engine.follow_module(name)
    module = engine.load_module(target.module)
    if module is None:
        return False
    if target.functions:
        roots: list[object] = [a for name in target.functions for a in module.names.get(name, NOTHING)]
    else:
        classes = [a for a in module.names.get(target.class_name, NOTHING) if isinstance(a, ClassScope)]
        if not classes:
            return False
        roots = [root for cls in classes for root in _set_up_node(engine, cls, target)]
    engine.handling, engine.lasting = True, False
    for function in [*roots, *engine.escaped]:
        _handle(engine, function, module)
    _look_for_readers(engine, roots, module)
    return True


def _look_for_readers(engine: Engine, roots: list[object], module: ModuleScope) -> None:
    """What no event runs may read what an event left all the same: `on_stop`, a property."""
    node = engine.attributes.node
    if node is None or node.cls is None or not (engine.attributes.has_any() or engine.memos.filled):
        return
    trace = engine.trace
    before = dict(engine.notes), dict(trace.unknown), dict(trace.handed)
    for name in {n for c in node.cls.lineage() for n in c.names} - {"__init__", "on_start"}:
        for atom in node.cls.find(name) or NOTHING:
            for function in _bind_root(atom, node, node.cls):
                if function not in roots and (not name.startswith("_") or name.startswith("__")):
                    _handle(engine, function, module)
            if isinstance(atom, Wrapped) and atom.how in ("property", "cached property"):
                engine.attributes.begin()
                with engine.running(module):
                    engine.objects.get_attribute(frozenset((node,)), name, module.tree)
    engine.notes, trace.unknown, trace.handed = before


def _set_up_node(engine: Engine, cls: ClassScope, target: Target) -> list[object]:
    """Make the node, start it, and list what an event or a call may reach."""
    for base in cls.list_outside():
        if not _is_known_base(base):
            engine.notes[Note(f"it is a {base}, which is not read", cls.module.path, cls.node.lineno)] = None
    site = engine.make((cls, "node"), "instance", cls=cls, label="self")
    engine.attributes.node = site
    with engine.running(cls.module), engine.making_node():
        for name in ("__init__", "on_start"):
            for atom in cls.find(name) or NOTHING:
                if isinstance(atom, FunctionValue):
                    bound = FunctionValue(atom.node, atom.module, atom.scope, atom.cls, site)
                    engine.call(bound, [], _provide(engine, bound), NOTHING, atom.node)
    names = {n: None for c in cls.lineage() for n in c.names if _is_reached(n, c, target)}
    roots: list[object] = []
    for name in names:
        for atom in cls.find(name) or NOTHING:
            roots += _bind_root(atom, site, cls)
    return roots


def _bind_root(atom: object, site: Site, cls: ClassScope) -> list[object]:
    match atom:
        case FunctionValue(bound=None):
            return [FunctionValue(atom.node, atom.module, atom.scope, atom.cls, site)]
        case Wrapped(how="class", function=FunctionValue() as function):
            return [FunctionValue(function.node, function.module, function.scope, function.cls, cls)]
        case Wrapped(how="class", function=Wrapped(how="cached", function=FunctionValue() as function)):
            return [Wrapped("cached", FunctionValue(function.node, function.module, function.scope, function.cls, cls))]
        case Wrapped(how="static", function=function):
            return [function]
        case Wrapped(how="cached", function=FunctionValue() as function):
            return [
                Wrapped("cached", FunctionValue(function.node, function.module, function.scope, function.cls, site))
            ]
        case Wrapped():  # a property: where it is read
            return []
        case ClassScope() | Outside():
            return []
        case Site(kind="object" | "instance" | "partial") if (
            "__call__" in atom.cls.names if isinstance(atom.cls, ClassScope) else can_be_called(atom.made_by)
        ):
            return [atom]
    return []


def _is_known_base(name: str) -> bool:
    from graphbus_core.artifacts.sharing.library import is_plain_base

    return name in NODE_BASES or is_plain_base(name)


def _is_reached(name: str, cls: ClassScope, target: Target) -> bool:
    """Whether an event or a call of another node may run it."""
    if name in target.handlers or name == "__call__":
        return True
    if not name.startswith("_") and name not in SETUP_METHODS:
        return True
    for statement in cls.node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name == name:
            return bool(statement.decorator_list)  # such as `@subscribe`
    return False


def _provide(engine: Engine, init: FunctionValue) -> dict[str, Value]:
    """What a constructor is given: bus, memory and name by the runtime, all else by somebody who is not read."""
    given: dict[str, Value] = {}
    args = init.node.args
    parameters = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    defaults = engine.objects.get_defaults(init)
    for arg in parameters[1:]:
        if arg.arg in _GIVEN:
            given[arg.arg] = frozenset((Outside(_GIVEN[arg.arg]),))
        elif (
            arg.arg == "name"
            or (isinstance(arg.annotation, ast.Name) and arg.annotation.id in _PLAIN_TYPES)
            or _has_plain_default(arg, args)
        ):
            given[arg.arg] = PLAIN
        else:
            provided = engine.make((init.node, arg.arg, "provided"), "object", label=f"the {arg.arg} that is provided")
            engine.trace.strange.add(provided)
            given[arg.arg] = join(defaults.get(arg.arg, NOTHING), frozenset((provided,)))
    return given


def _has_plain_default(arg: ast.arg, args: ast.arguments) -> bool:
    positional = [*args.posonlyargs, *args.args]
    pairs = dict(zip((a.arg for a in reversed(positional)), reversed(args.defaults), strict=False))
    pairs |= {a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None}
    default = pairs.get(arg.arg)
    return isinstance(default, ast.Constant) and isinstance(default.value, str | int | float | bytes)


def _handle(engine: Engine, function: object, module: ModuleScope) -> None:
    """An event, or a call, reaches it: what comes with it was made for it."""
    plain = function.function if isinstance(function, Wrapped) else function
    engine.attributes.begin()
    with engine.running(module):
        named: dict[str, Value] = {}
        if isinstance(plain, FunctionValue):
            defaults = engine.objects.get_defaults(plain)
            args = plain.node.args
            skipped = 0 if plain.bound is None else 1
            for arg in [*args.posonlyargs, *args.args][skipped:] + args.kwonlyargs:
                if (hinted := _read_texts(engine, arg.annotation)) is not None:
                    named[arg.arg] = join(hinted, defaults.get(arg.arg, NOTHING))
                    continue
                value = _make_given(engine, (plain.node, arg.arg), [arg.annotation])
                named[arg.arg] = join(value, defaults.get(arg.arg, NOTHING))
            rest: Value = NOTHING
            if stars := [arg.annotation for arg in (args.vararg, args.kwarg) if arg is not None]:
                rest = _make_given(engine, (plain.node, "rest"), stars)
        else:
            rest = frozenset((engine.make((plain, "given"), "data", PLAIN),))
        node = plain.node if isinstance(plain, FunctionValue) else module.tree
        given = engine.objects.call_atom(function, [], named, rest, node)  # type: ignore[arg-type]
        engine.see(reach(given))
        engine.see_whole(reach(given))
        engine.attributes.give_out(reach(given))


def _read_texts(engine: Engine, hint: ast.expr | None) -> Value | None:
    """What a hint says that holds texts and numbers alone. An event that breaks its hint was not promised anything;
    a bool is an int, and an int a float."""
    match hint:
        case ast.Name(id=name) if name in _HINTED:
            return _HINTED[name]
        case ast.Constant(value=None):
            return frozenset((TEXT,))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            sides = [_read_texts(engine, side) for side in (left, right)]
            return join(*(s for s in sides if s is not None)) if None not in sides else None
        case ast.Subscript(value=ast.Name(id="list"), slice=part):
            if (parts := _read_texts(engine, part)) is not None:
                return frozenset((engine.make(hint, "container", parts),))
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), part])):
            if (parts := _read_texts(engine, part)) is not None:
                given = engine.make(hint, "container", parts)
                given.made_by = DICT
                engine.put(given, frozenset((TEXT,)), KEYS)
                return frozenset((given,))
    return None


def _make_given(engine: Engine, place: object, hints: Iterable[ast.AST | None]) -> Value:
    """What comes with an event: data, and objects of the classes that a hint names, in each other."""
    data = engine.make(place, "data", PLAIN)
    records = [engine.make((cls, "given"), "instance", cls=cls) for cls in _list_hinted(engine, hints)]
    event: Value = frozenset((data, *records))
    for site in (data, *records) if records else ():
        engine.put(site, event)
    return event


def _list_hinted(engine: Engine, hints: Iterable[ast.AST | None]) -> list[ClassScope]:
    """Classes of the project that a hint names, in quotes or by another name too, and that hints of their fields name:
    every class of that name, whichever module it is of."""
    modules = [module for module in engine.modules.values() if module is not None]
    classes: dict[ClassScope, None] = {}
    seen: set[str] = set()
    waiting = list(hints)
    while waiting:
        part = waiting.pop()
        names = _list_words(part) - seen if part is not None else set()
        seen |= names
        for name, module in ((name, module) for name in names for module in modules):
            named_classes = [a for a in module.names.get(name, NOTHING) if isinstance(a, ClassScope)]
            engine.trace.used |= {a.name for a in module.names.get(name, NOTHING) if isinstance(a, Outside)}
            fresh = [cls for kind in named_classes for cls in kind.lineage() if cls not in classes]
            classes |= dict.fromkeys(fresh)
            waiting += [s.annotation for cls in fresh for s in cls.node.body if isinstance(s, ast.AnnAssign)]
            if not named_classes:  # another name for one
                waiting += [s for s in module.tree.body if name in _list_bound(s)]
    return list(classes)


def _list_words(part: ast.AST) -> set[str]:
    """The names in a piece of source, in quotes too."""
    texts = [n.value for n in ast.walk(part) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    names = {n.id for n in ast.walk(part) if isinstance(n, ast.Name)}
    names |= {n.attr for n in ast.walk(part) if isinstance(n, ast.Attribute)}
    names |= {n.name for n in ast.walk(part) if isinstance(n, ast.alias)}
    return names.union(*(re.findall(r"\w+", text) for text in texts))


def _list_bound(statement: ast.stmt) -> set[str]:
    """The names that an assignment or an import binds."""
    match statement:
        case ast.Assign() | ast.AnnAssign():
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.ImportFrom(names=aliases):
            return {alias.asname for alias in aliases if alias.asname}
    return set()


__all__ = ["Note", "Target", "analyze"]
