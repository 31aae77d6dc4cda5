"""From definitions to living nodes: import, make, connect to the bus and to direct calls."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from graphbus_core.errors import RuntimeFault
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.loader import FrozenModules, TopicData
from graphbus_core.runtime.payloads import MethodContract, PayloadChecks

# `NodeMemory` at run time (seed 002 §§2.8, 9): what a node remembers, kept with the state between runs.
#
# It is given to every node as `self.memory`. A node that never touches it costs nothing and keeps nothing.


MAX_HISTORY = 1_000


class NodeMemory:
    """A node's own notes: `state` is a dict of JSON values, `history` the last things it noted."""

    __slots__ = ("_history", "_state")

    def __init__(self) -> None:
        self._state: dict[str, Any] | None = None
        self._history: deque[dict[str, Any]] | None = None

    @property
    def state(self) -> dict[str, Any]:
        """What the node keeps in mind; saved and restored where the run has a state file."""
        if self._state is None:
            self._state = {}
        return self._state

    @property
    def history(self) -> deque[dict[str, Any]]:
        """What was noted, oldest first, at most MAX_HISTORY."""
        if self._history is None:
            self._history = deque(maxlen=MAX_HISTORY)
        return self._history

    def note(self, **observation: Any) -> None:
        """Add to the history."""
        self.history.append(observation)

    def to_keep(self) -> dict[str, Any] | None:
        """What is to be saved; None: nothing was remembered."""
        if not self._state and not self._history:
            return None
        return {"state": self._state or {}, "history": list(self._history or ())}

    def take_back(self, saved_memory: dict[str, Any]) -> None:
        """Take back what `to_keep` gave."""
        self._state = dict(saved_memory.get("state", {}))
        self._history = deque(saved_memory.get("history", ()), maxlen=MAX_HISTORY)


# Plain classes and modules on the bus: a node around each, that hands every call on to it as it is.


def wrap_as_node(what: type | ModuleType) -> type[GraphBusNode]:
    """A node class around a plain class, of which it makes one object, or around the functions of a module."""
    members = {name: _ForwardedMember(what, name) for name in dir(what) if _is_method(what, name)}
    return type(what.__name__.rpartition(".")[2], (GraphBusNode,), {**members, "__init__": _build_init(what)})


def _is_method(what: Any, name: str) -> bool:
    # What GraphBusNode has under the same name is the runtime's own: a plain `publish` is not called as a node's.
    return not name.startswith("_") and not hasattr(GraphBusNode, name) and inspect.isroutine(getattr(what, name, None))


class _ForwardedMember:
    """A member that is the plain one: its signature, its being async, its errors."""

    def __init__(self, what: Any, name: str) -> None:
        self._what, self._name = what, name

    def __get__(self, node: Any, owner: type) -> Any:
        return getattr(self._what if node is None else node.plain, self._name)


def _build_init(what: type | ModuleType) -> Any:
    """An `__init__` with the parameters of the plain class, so that what it needs can be provided."""
    if isinstance(what, ModuleType):

        def init_module(self: Any) -> None:
            self.plain = what

        return init_module
    if what.__init__ is object.__init__:  # type: ignore[misc]

        def init_bare(self: Any) -> None:
            self.plain = what()

        return init_bare

    def init_provided(self: Any, **provided: Any) -> None:
        self.plain = what(**provided)

    signature = inspect.signature(what.__init__)  # type: ignore[misc]
    rest = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    parameters = [p for p in signature.parameters.values() if p.kind not in rest]  # `**kw` does not ask for a bus
    setattr(init_provided, "__signature__", signature.replace(parameters=parameters))  # noqa: B010  inspect looks for it
    init_provided.__annotations__ = getattr(what.__init__, "__annotations__", {})  # type: ignore[misc]
    return init_provided


_TAKES_MORE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def import_class(agent: AgentDefinition, modules: FrozenModules) -> type[GraphBusNode]:
    """Import the agent's class from the frozen sources. Raises what importing raises, and RuntimeFault for
    `sys.exit`.
    """
    plain = agent.metadata.get("plain")
    with convert_exit("it"):
        kind: Any = modules.load(agent.module)
        for part in agent.class_name.split(".") if plain != "functions" else ():
            kind = getattr(kind, part)
    return wrap_as_node(kind) if plain else kind


def make_node(
    kind: type[GraphBusNode], name: str, bus: Any, calls: Calls | None, provided: Mapping[str, Any]
) -> GraphBusNode:
    """Make the node. Raises what making raises, and RuntimeFault where that calls `sys.exit`."""
    memory = NodeMemory()
    with convert_exit("it"):
        node = kind(**_select_init_arguments(kind, name, {"bus": bus, "memory": memory, **provided}))
    node.set_mode("runtime")
    node.name = name
    node.bus = bus
    node._caller = calls
    if node.memory is None:
        node.memory = memory
    return node


@contextmanager
def convert_exit(who: str) -> Iterator[None]:
    """`sys.exit` in a node's code is the node's failure, not the end of the run. Raises RuntimeFault."""
    try:
        yield
    except SystemExit as e:
        raise RuntimeFault(f"{who} called sys.exit({e.code!r}); a node does not end the run") from e


def _select_init_arguments(kind: Any, name: str, available: dict[str, Any]) -> dict[str, Any]:
    """The `given` arguments that the class's `__init__` has a parameter for; its name where it must have one."""
    init = kind.__init__
    code = getattr(init, "__code__", None)
    if code is not None and code.co_argcount == 1 and not code.co_kwonlyargcount and not code.co_flags & _TAKES_MORE:
        return {}
    try:
        parameters = list(inspect.signature(init).parameters.values())[1:]
    except (TypeError, ValueError):
        return {}
    takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters)
    arguments = {n: v for n, v in available.items() if takes_all or any(p.name == n for p in parameters)}
    if any(p.name == "name" and p.default is p.empty for p in parameters):
        arguments["name"] = name
    missing = [
        p.name
        for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and p.name not in arguments
    ]
    if missing:
        raise TypeError(f"its __init__ wants {', '.join(missing)}; a node takes bus, memory and what is provided")
    return arguments


def build_checks(mode: str, agents: Iterable[AgentDefinition], topics: Iterable[TopicData]) -> PayloadChecks:
    """The payload checks of a build."""
    topics = list(topics)
    methods: dict[tuple[str, str], MethodContract] = {}
    if mode != "off":
        for agent in agents:
            for method in agent.methods:
                methods[agent.name, method.name] = MethodContract.from_method(method)
    payloads = {topic.name: topic.schema for topic in topics if topic.schema is not None}
    return PayloadChecks(mode, payloads, methods, {topic.name for topic in topics})
