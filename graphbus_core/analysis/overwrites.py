"""Whether code stores another value over one that a component gave, somewhere that no single flow passes through.

`h = g; h["mass"] *= 2`, a method that converts `self.g`, a lambda over rows, `Mill.grind = …`: the value that another
line hands on is then not the one that was given, and that line is not evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.analysis.flow_types import Flow
from graphbus_core.analysis.flows import Flows
from graphbus_core.analysis.index import ClassRef, FunctionRef, Instance, ModuleRef
from graphbus_core.analysis.values import (
    Attr,
    ContextValue,
    Element,
    Item,
    MutatedValue,
    Param,
    SliceValue,
    Store,
    Unknown,
    Value,
    Values,
)

MAX_STORE_STEPS = 8  # from what is stored in to the name that it was reached by


def is_changed(flow: Flow, texts: ProjectFiles, flows: Flows) -> bool:
    """Whether some code of the project may change what a flow carries: its value, or the methods at its two ends."""
    if not flow.source_keys:
        return False
    key = flow.source_keys[-1]
    if _is_patched(flow, texts) or any(
        _is_set_elsewhere(base, n, texts, flows) for base, n in _iter_kept_attributes(flow, texts)
    ):
        return True
    for path in _select_files(flow, key, texts, flows):
        for store in texts[path].stores:
            if store.key in (None, key) and _touches_flow(flow, path, store, flows):
                return True
            if store.key in (flow.source.method, flow.target.method) and _is_class(path, store, flows):
                return True
    return False


def _is_patched(flow: Flow, texts: ProjectFiles) -> bool:
    """`@patch.object(Mill, "grind")`, `patch("mills.Mill.grind")`: in that file the method may be another."""
    methods = b"|".join(re.escape(end.method.encode()) for end in (flow.source, flow.target))
    content = texts.read_content(flow.place.rpartition(":")[0])
    return re.search(rb"\bpatch\b[\w.]*\([^)]*[\"'](?:[\w.]+\.)?(?:%b)[\"']" % methods, content) is not None


def _iter_kept_attributes(flow: Flow, texts: ProjectFiles) -> Iterator[tuple[tuple[str, Values], str]]:
    """The attributes that the call hands on: where a value was kept, others may have put another one."""
    path, _, line = flow.place.rpartition(":")
    for call in texts[path].calls:
        if str(call.line) == line:
            for values in (*call.args, *call.keywords.values(), *call.spreads):
                yield from (((path, base), name) for base, name in _iter_attributes(values, 0))


def _iter_attributes(values: Values, steps: int) -> Iterator[tuple[Values, str]]:
    for value in values if steps < MAX_STORE_STEPS else ():
        match value:
            case Attr(of=of, name=name):
                yield of, name
            case Item(of=of) | Element(of=of) | MutatedValue(of=of) | ContextValue(of=of) | SliceValue(of=of):
                yield from _iter_attributes(of, steps + 1)


def _is_set_elsewhere(base: tuple[str, Values], name: str, texts: ProjectFiles, flows: Flows) -> bool:
    """`loader.t = …` beside the class, `self.t = …` in one that comes from it: not what the class itself stores."""
    families = [
        flows.index.find_family(kind.path, kind.name)
        for kind in flows.objects.resolve(*base)
        if isinstance(kind, Instance)
    ]
    own = {class_key for family in families for class_key in family if class_key is not None}
    word = name.encode()
    for path in texts.paths if own else ():
        if path.endswith(".pyi") or texts.is_test(path) or word not in texts.read_content(path):
            continue
        for cls in texts[path].classes.values():
            if name in cls.stored and (path, cls.name) not in own and own & {*flows.index.find_family(path, cls.name)}:
                return True
        for store in texts[path].stores:
            if store.key == name and (_is_dark(store.of) or _is_one_of(path, store, own, flows)):
                return True
    return False


def _is_one_of(path: str, store: Store, own: set[tuple[str, str]], flows: Flows) -> bool:
    kinds = [kind for kind in flows.objects.resolve(path, store.of) if isinstance(kind, Instance | ClassRef)]
    return any(own & {*flows.index.find_family(kind.path, kind.name)} for kind in kinds)


def _select_files(flow: Flow, key: str, texts: ProjectFiles, flows: Flows) -> Iterator[str]:
    """Where the key or an end's method is named; the file of the flow, and what that imports. Of tests its own."""
    home = flow.place.rpartition(":")[0]
    near = {home, *_iter_imported_files(home, texts, flows)}
    words = [word.encode() for word in (key, f".{flow.source.method}", f".{flow.target.method}")]
    for path in texts.paths:
        if path.endswith(".pyi") or (path != home and texts.is_test(path)):
            continue
        if path in near or any(word in texts.read_content(path) for word in words):
            yield path


def _iter_imported_files(path: str, texts: ProjectFiles, flows: Flows) -> Iterator[str]:
    for name in texts[path].imports:
        resolved = flows.index.look_up(path, name)
        if isinstance(resolved, ModuleRef):
            target = texts.find_module(resolved.name, path)
        else:
            target = getattr(resolved, "path", None)
        if target is not None:
            yield target


def _touches_flow(flow: Flow, path: str, store: Store, flows: Flows) -> bool:
    """Whether what is stored in is what the flow's value lies in."""
    if flows.component(FunctionRef(path, store.inside)) == (flow.source.component, flow.source.method):
        return False  # the producer fills what it gives
    origins = flows.find_origins(path, store.of)
    if not origins:  # nobody can tell what it is: then the name of the key says enough
        return store.key is not None and _is_dark(store.of)
    for origin in origins:
        if origin.end == flow.source:
            keys = _drop_element_keys(origin.keys if store.key is None else (*origin.keys, store.key))
            if _drop_element_keys(flow.source_keys)[: len(keys)] == keys:
                return True
    return False


def _drop_element_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Without `[]`: rows that were handed on are counted as an element once more, and any of them may be meant."""
    return tuple(key for key in keys if key != "[]")


def _is_dark(values: Values, steps: int = 0) -> bool:
    """Whether an object is reached from a parameter that nobody seems to give, or is not known at all."""
    return any(_is_dark_one(value, steps) for value in values)


def _is_dark_one(value: Value, steps: int) -> bool:
    match value:
        case Unknown() | Param():
            return True
        case Item() | Element() | Attr() | MutatedValue() | ContextValue() | SliceValue() if steps < MAX_STORE_STEPS:
            return _is_dark(value.of, steps + 1)
    return False


def _is_class(path: str, store: Store, flows: Flows) -> bool:
    """`Mill.grind = …`, also by an object: whoever calls it there gets something else."""
    return any(isinstance(kind, ClassRef | Instance) for kind in flows.objects.resolve(path, store.of))
