"""`GraphBusNode`: what every node inherits from (seed 002 §2.1). It knows the bus only by two methods.

A subclass may define `__init__` with no argument, or with `bus` and `memory`, and need not call `super().__init__()`:
everything here works from class attributes until the runtime sets the instance's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from graphbus_core import decorators

if TYPE_CHECKING:
    from graphbus_core.model.message import Event

MODES = ("build", "runtime")


class _ClassName:
    """A node is named after its class until somebody names it otherwise."""

    def __get__(self, instance: object, owner: type) -> str:
        return owner.__name__


class _NodesAttribute:
    """`self.nodes`: the other nodes, by name; a method of one is a direct call (`GraphBusNode.call`, or `acall`)."""

    def __init__(self, how: str) -> None:
        self._how = how

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else _NodeProxies(instance, self._how)


class _NodeProxies:
    __slots__ = ("_how", "_node")

    def __init__(self, node: Any, how: str) -> None:
        self._node, self._how = node, how

    def __getattr__(self, name: str) -> Any:
        return _NodeProxy(self._node, self._how, name)


class _NodeProxy:
    __slots__ = ("_how", "_name", "_node")

    def __init__(self, node: Any, how: str, name: str) -> None:
        self._node, self._how, self._name = node, how, name

    def __getattr__(self, method: str) -> Any:
        call, name = getattr(self._node, self._how), self._name
        return lambda **payload: call(name, method, **payload)


class GraphBusNode:
    """One component. In build mode an agent speaks for it; in runtime mode it is a plain object on the bus.

    `SUBSCRIBE` is a list of topics routed to `handle_event(topic, payload)`, or a mapping of topic to the name of
    the method that handles it. `MODEL` names the model that speaks for this node in a build (design §10).
    """

    SYSTEM_PROMPT: ClassVar[str] = ""
    SUBSCRIBE: ClassVar[Sequence[str] | Mapping[str, str]] = ()
    IS_ARBITER: ClassVar[bool] = False
    MODEL: ClassVar[str | None] = None

    # Class-level defaults, so that a subclass whose __init__ calls nobody still works.
    bus: Any = None
    memory: Any = None
    if TYPE_CHECKING:
        name: str
        nodes: Any  # `self.nodes.Inventory.check_stock(sku="X1")`; in a subclass `nodes: "Nodes"` of the build's stub
        anodes: Any  # `await self.anodes.Inventory.check_stock(sku="X1")`; in a subclass `anodes: "ANodes"`
    else:
        name = _ClassName()
        nodes = _NodesAttribute("call")
        anodes = _NodesAttribute("acall")
    _mode: str = "runtime"
    _caller: Any = None  # what carries direct calls; the runtime sets it

    def __init__(self, bus: Any = None, memory: Any = None) -> None:
        if bus is not None:
            self.bus = bus
        self.memory = memory

    # Messages

    def handle_event(self, topic: str, payload: dict[str, Any]) -> Any:
        """Receives the events of the topics in `SUBSCRIBE`. Override it; by default nothing happens."""

    def publish(self, topic: str, payload: dict[str, Any] | None = None) -> Event | None:
        """Publish to `topic` in this node's name and return the event.

        With no bus (a unit test, or a runtime started without one) nothing is published and None is returned.
        """
        if self.bus is None:
            return None
        event: Event = self.bus.publish(topic, {} if payload is None else payload, source=self.name)
        return event

    async def apublish(self, topic: str, payload: dict[str, Any] | None = None) -> Event | None:
        """`publish` for async code: returns when the async handlers are done too."""
        if self.bus is None:
            return None
        event: Event = await self.bus.apublish(topic, {} if payload is None else payload, source=self.name)
        return event

    def call(
        self,
        node: str,
        method: str,
        /,
        *,
        _context: dict[str, Any] | None = None,
        _timeout_s: float | None = None,
        **kwargs: Any,
    ) -> Any:
        """Call `method` of another node: `self.call("Inventory", "check_stock", sku="X1")`.

        `_context` travels with the call (`self.context` there, and in what it calls); after `_timeout_s` seconds
        DeadlineExceeded is raised. Raises RuntimeError outside a running runtime, ValueError for an unknown node and
        AttributeError for an unknown method, each with the nearest name.
        """
        return self._require_runtime("call").call(
            node, method, kwargs, src=self.name, context=_context, timeout_s=_timeout_s
        )

    async def acall(
        self,
        node: str,
        method: str,
        /,
        *,
        _context: dict[str, Any] | None = None,
        _timeout_s: float | None = None,
        **kwargs: Any,
    ) -> Any:
        """`call` for async code."""
        calls = self._require_runtime("acall")
        return await calls.acall(node, method, kwargs, src=self.name, context=_context, timeout_s=_timeout_s)

    @property
    def context(self) -> dict[str, Any]:
        """What the direct call under way brought along; empty outside a call."""
        return {} if self._caller is None else dict(self._caller.context())

    @context.setter
    def context(self, value: object) -> None:
        raise _build_taken_error(self, "context", "what the direct call under way brought along")

    def _require_runtime(self, what: str) -> Any:
        if self._caller is None:
            raise RuntimeError(
                f"{self.name}.{what} needs a running runtime; start one with run_runtime('.graphbus'), "
                f"or give the node a stand-in in a unit test."
            )
        return self._caller

    # Life

    def on_start(self) -> Any:
        """Called once when the runtime starts, after the nodes this one depends on. May be async."""

    def on_stop(self) -> Any:
        """Called once when the runtime stops, before the nodes this one depends on. May be async."""

    def get_state(self) -> dict[str, Any] | None:
        """What to keep between runs, as JSON; None (the default): nothing."""
        return None

    def set_state(self, state: dict[str, Any]) -> None:
        """Take back what `get_state` gave."""

    def set_mode(self, mode: str) -> None:
        """Say whether this node is being built or run. Raises ValueError for anything but `build` and `runtime`."""
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}; use one of {', '.join(MODES)}.")
        self._mode = mode

    @property
    def mode(self) -> str:
        """`build` or `runtime`."""
        return self._mode

    @mode.setter
    def mode(self, value: object) -> None:
        raise _build_taken_error(self, "mode", "`build` or `runtime`, set by set_mode")

    def is_build_mode(self) -> bool:
        """Whether this node is being built."""
        return self._mode == "build"

    def is_runtime_mode(self) -> bool:
        """Whether this node is being run."""
        return self._mode == "runtime"

    # Build mode: a node that overrides one of these speaks for itself, without a model (design §3)

    def propose(self, proposal: Any) -> Any:
        """Build mode only (seed 002 §2.7): make or refine a proposal. Not overridden: the node's agent does it."""

    def evaluate(self, proposal: Any) -> Any:
        """Build mode only: judge a peer's proposal. Not overridden: the node's agent does it."""

    def commit(self, commit: Any) -> Any:
        """Build mode only: learn that a proposal which concerns this node was committed.

        `commit` is a `CommitRecord`; its files are written already, by the engine and not by the node. Told in the
        order of the commits and before the node's next question; after `--resume`, those before the interruption
        again. What it returns is dropped, what it raises is logged. Not overridden: nothing happens.
        """

    # What the class declares

    @classmethod
    def get_system_prompt(cls) -> str:
        """The text of `SYSTEM_PROMPT`."""
        return cls.SYSTEM_PROMPT

    @classmethod
    def get_subscriptions(cls) -> list[str]:
        """Topics this class listens to: `SUBSCRIBE` first, then decorated methods by name, each once."""
        topics = dict.fromkeys(cls.SUBSCRIBE)
        for member in _collect_members(cls).values():
            topics.update(dict.fromkeys(getattr(member, decorators.SUBSCRIPTIONS, ())))
        return list(topics)

    @classmethod
    def get_schema_methods(cls) -> dict[str, dict[str, Any]]:
        """Method name -> what `schema_method` recorded; a side that it leaves out as the method's hints say it.

        A handler whose hint is its contract is there without `schema_method` too.
        """
        from graphbus_core import type_hints

        handlers = set(cls.SUBSCRIBE.values()) if isinstance(cls.SUBSCRIBE, Mapping) else {"handle_event"}
        records: dict[str, dict[str, Any]] = {}
        for name, member in _collect_members(cls).items():
            handler = name in handlers or hasattr(member, decorators.SUBSCRIPTIONS)
            if not handler and not hasattr(member, decorators.SCHEMA):
                continue
            record = type_hints.read_declaration(member, handler=handler, bound=type_hints.is_bound(cls, name))
            if hasattr(member, decorators.SCHEMA) or record["input_schema"] is not None:
                records[name] = record
        return records

    @classmethod
    def get_dependencies(cls) -> list[str]:
        """Names of the nodes that the class declares it depends on."""
        return list(getattr(cls, decorators.DEPENDS_ON, ()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} mode={self._mode}>"


def _build_taken_error(node: GraphBusNode, attribute: str, meaning: str) -> AttributeError:
    return AttributeError(
        f"`self.{attribute}` is taken on every node ({meaning}): call your own attribute of {type(node).__name__} "
        f"something else."
    )


def _collect_members(cls: type) -> dict[str, Any]:
    """Callable members by name, without running any property."""
    all_members: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        all_members.update(vars(base))
    members = {name: getattr(member, "__func__", member) for name, member in all_members.items() if name[:2] != "__"}
    return {name: members[name] for name in sorted(members) if callable(members[name])}
