"""Whether code stores another value over one that a component gave, somewhere that no single flow passes through.

`h = g; h["mass"] *= 2`, a method that converts `self.g`, a lambda over rows, `Mill.grind = …`: the value that another
line hands on is then not the one that was given, and that line is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphbus_core.build.understand.ends import Flow
from graphbus_core.build.understand.flows import Flows
from graphbus_core.build.understand.index import Code, Module, Thing, Type
from graphbus_core.build.understand.text.files import Texts
from graphbus_core.build.understand.text.values import (
    Attr,
    Element,
    Item,
    Param,
    Store,
    Touched,
    Unknown,
    Value,
    Values,
)

MAX_STEPS = 8  # from what is stored in to the name that it was reached by


def changed(flow: Flow, texts: Texts, flows: Flows) -> bool:
    """Whether some code of the project may change what a flow carries: its value, or the methods at its two ends."""
    if not flow.source_keys:
        return False
    key = flow.source_keys[-1]
    for path in _files(flow, key, texts, flows):
        for store in texts[path].stores:
            if store.key in (None, key) and _meets(flow, path, store, flows):
                return True
            if store.key in (flow.source.method, flow.target.method) and _is_class(path, store, flows):
                return True
    return False


def _files(flow: Flow, key: str, texts: Texts, flows: Flows) -> Iterator[str]:
    """Where the key or an end's method is spoken of; the file of the flow, and what that imports. Of tests its own."""
    home = flow.place.rpartition(":")[0]
    near = {home, *_imported(home, texts, flows)}
    words = [word.encode() for word in (key, f".{flow.source.method}", f".{flow.target.method}")]
    for path in texts.paths:
        if path.endswith(".pyi") or (path != home and texts.is_test(path)):
            continue
        if path in near or any(word in texts.content(path) for word in words):
            yield path


def _imported(path: str, texts: Texts, flows: Flows) -> Iterator[str]:
    for name in texts[path].imports:
        found = flows.index.look_up(path, name)
        if isinstance(found, Module):
            target = texts.module(found.name, path)
        else:
            target = getattr(found, "path", None)
        if target is not None:
            yield target


def _meets(flow: Flow, path: str, store: Store, flows: Flows) -> bool:
    """Whether what is stored in is what the flow's value lies in."""
    if flows.component(Code(path, store.inside)) == (flow.source.component, flow.source.method):
        return False  # the producer fills what it gives
    origins = flows.origins(path, store.of)
    if not origins:  # nobody can tell what it is: then the name of the key says enough
        return store.key is not None and _is_dark(store.of)
    for origin in origins:
        if origin.end == flow.source:
            keys = _named(origin.keys if store.key is None else (*origin.keys, store.key))
            if _named(flow.source_keys)[: len(keys)] == keys:
                return True
    return False


def _named(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Without `[]`: rows that were handed on are counted as an element once more, and any of them may be meant."""
    return tuple(key for key in keys if key != "[]")


def _is_dark(values: Values, steps: int = 0) -> bool:
    """Whether an object is reached from a parameter that nobody seems to give, or is not known at all."""
    return any(_is_dark_one(value, steps) for value in values)


def _is_dark_one(value: Value, steps: int) -> bool:
    match value:
        case Unknown() | Param():
            return True
        case Item(of=of) | Element(of=of) | Attr(of=of) | Touched(of=of) if steps < MAX_STEPS:
            return _is_dark(of, steps + 1)
    return False


def _is_class(path: str, store: Store, flows: Flows) -> bool:
    """`Mill.grind = …`, also by an object: whoever calls it there gets something else."""
    return any(isinstance(kind, Type | Thing) for kind in flows.objects.of(path, store.of))
