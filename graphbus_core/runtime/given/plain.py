"""Plain classes and modules on the bus: a node around each, that hands every call on to it as it is."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from graphbus_core.node_base import GraphBusNode


def adopted(what: type | ModuleType) -> type[GraphBusNode]:
    """A node class around a plain class, of which it makes one object, or around the functions of a module."""
    members = {name: _HandedOn(what, name) for name in dir(what) if _is_method(what, name)}
    return type(what.__name__.rpartition(".")[2], (GraphBusNode,), {**members, "__init__": _init_of(what)})


def _is_method(what: Any, name: str) -> bool:
    # What GraphBusNode has under the same name is the runtime's own: a plain `publish` is not called as a node's.
    return not name.startswith("_") and not hasattr(GraphBusNode, name) and inspect.isroutine(getattr(what, name, None))


class _HandedOn:
    """A member that is the plain one: its signature, its being async, its errors."""

    def __init__(self, what: Any, name: str) -> None:
        self._what, self._name = what, name

    def __get__(self, node: Any, owner: type) -> Any:
        return getattr(self._what if node is None else node.plain, self._name)


def _init_of(what: type | ModuleType) -> Any:
    """An `__init__` with the parameters of the plain class, so that what it needs can be provided."""
    if isinstance(what, ModuleType):

        def module(self: Any) -> None:
            self.plain = what

        return module
    if what.__init__ is object.__init__:  # type: ignore[misc]

        def bare(self: Any) -> None:
            self.plain = what()

        return bare

    def made(self: Any, **provided: Any) -> None:
        self.plain = what(**provided)

    written = inspect.signature(what.__init__)  # type: ignore[misc]
    rest = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    kept = [p for p in written.parameters.values() if p.kind not in rest]  # `**kw` does not ask for a bus
    setattr(made, "__signature__", written.replace(parameters=kept))  # noqa: B010  inspect looks for it
    made.__annotations__ = getattr(what.__init__, "__annotations__", {})  # type: ignore[misc]
    return made
