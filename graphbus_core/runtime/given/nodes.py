"""From definitions to living nodes: import, make, connect to the bus and to direct calls."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from graphbus_core.errors import RuntimeFault
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.given.memory import NodeMemory
from graphbus_core.runtime.given.plain import adopted
from graphbus_core.runtime.handling.checks import MethodContract, PayloadChecks
from graphbus_core.runtime.importing import FrozenModules
from graphbus_core.runtime.loader import TopicData

_TAKES_MORE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def class_of(agent: AgentDefinition, modules: FrozenModules) -> type[GraphBusNode]:
    """Import the agent's class from the frozen sources. Raises what importing raises, and RuntimeFault for
    `sys.exit`.
    """
    plain = agent.metadata.get("plain")
    with exit_is_failure("it"):
        kind: Any = modules.load(agent.module)
        for part in agent.class_name.split(".") if plain != "functions" else ():
            kind = getattr(kind, part)
    return adopted(kind) if plain else kind


def make_node(
    kind: type[GraphBusNode], name: str, bus: Any, calls: Calls | None, provided: Mapping[str, Any]
) -> GraphBusNode:
    """Make the node. Raises what making raises, and RuntimeFault where that calls `sys.exit`."""
    memory = NodeMemory()
    with exit_is_failure("it"):
        node = kind(**_what_init_takes(kind, name, {"bus": bus, "memory": memory, **provided}))
    node.set_mode("runtime")
    node.name = name
    node.bus = bus
    node._caller = calls
    if node.memory is None:
        node.memory = memory
    return node


@contextmanager
def exit_is_failure(who: str) -> Iterator[None]:
    """`sys.exit` in a node's code is the node's failure, not the end of the run. Raises RuntimeFault."""
    try:
        yield
    except SystemExit as e:
        raise RuntimeFault(f"{who} called sys.exit({e.code!r}); a node does not end the run") from e


def _what_init_takes(kind: Any, name: str, given: dict[str, Any]) -> dict[str, Any]:
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
    arguments = {n: v for n, v in given.items() if takes_all or any(p.name == n for p in parameters)}
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


def checks_of(mode: str, agents: Iterable[AgentDefinition], topics: Iterable[TopicData]) -> PayloadChecks:
    """The payload checks of a build."""
    topics = list(topics)
    methods: dict[tuple[str, str], MethodContract] = {}
    if mode != "off":
        for agent in agents:
            for method in agent.methods:
                methods[agent.name, method.name] = MethodContract(
                    method.input_schema.json_schema if method.input_schema else None,
                    method.output_schema.json_schema if method.output_schema else None,
                )
    payloads = {topic.name: topic.schema for topic in topics if topic.schema is not None}
    return PayloadChecks(mode, payloads, methods, {topic.name for topic in topics})
