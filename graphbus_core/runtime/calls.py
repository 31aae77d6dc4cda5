"""Direct calls between nodes: a `Message` with a context, a deadline and payload checks (seed 002 §2.5, §5.5).

A call made inside a call inherits its context and what is left of its deadline. A sync method with a deadline runs in
a thread of its own, because nothing else can be left waiting; it is not stopped when the deadline passes.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent import futures
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import DeadlineExceeded, NotRunning, RuntimeFault, UnknownMethod, UnknownNode
from graphbus_core.model.message import Event, Message, generate_id
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.concurrency import WorkerThreads, get_running_loop
from graphbus_core.runtime.delivery.frames import FLOW, create_flow
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.payloads import Check, PayloadChecks, bind_payload, build_rejection
from graphbus_core.runtime.subscriptions.handlers import close_awaitable, is_awaitable
from graphbus_core.runtime.telemetry.observer import trace_with_all
from graphbus_core.runtime.topics import suggest_nearest
from graphbus_core.runtime.transports.port import Transport

if TYPE_CHECKING:
    from graphbus_core.runtime.reload.call_gates import CallGates

log = logging.getLogger("graphbus.runtime")
MAX_THREADS = 1_000  # of methods that run beside their callers; one that hangs keeps its own
REMOTE_TIMEOUT_S = 30.0  # deadline of a call to another process that has no other: that process may be gone


@dataclass(frozen=True)
class _CallInFlight:
    message: Message
    deadline: float | None  # monotonic


_CallRequest = tuple[str, str, str, dict[str, Any], dict[str, Any] | None, float | None]  # what `_begin` takes
_NO_GATE: AbstractAsyncContextManager[None] = nullcontext()
_CALL: contextvars.ContextVar[_CallInFlight | None] = contextvars.ContextVar("graphbus_call", default=None)


class Calls:
    """Carries direct calls to nodes. `timeout_s` is the deadline of a call that has no other."""

    def __init__(self, timeout_s: float | None = None) -> None:
        self._nodes: Mapping[str, GraphBusNode] = {}
        self._bus: MessageBus | None = None
        self._checks = PayloadChecks()
        self._policy: Policy | None = None
        self._timeout_s = timeout_s
        self._closed = False
        self._threads = WorkerThreads(MAX_THREADS)
        self.elsewhere: Transport | None = None  # what reaches the nodes that other processes run
        self.build: Collection[str] = ()  # the nodes of the build, wherever they run
        self.doors: CallGates | None = None  # of a runtime that can be reloaded
        self.made = 0
        self.failed = 0

    def connect(
        self,
        nodes: Mapping[str, GraphBusNode],
        bus: MessageBus | None,
        checks: PayloadChecks,
        policy: Policy | None = None,
    ) -> None:
        """Whom to call, which bus learns of it, and which contracts and rules hold."""
        self._nodes, self._bus, self._checks, self._policy = nodes, bus, checks, policy

    def close(self) -> None:
        """Refuse, with NotRunning, every call from now on."""
        self._closed = True
        self._threads.close()

    def context(self) -> Mapping[str, Any]:
        """The context of the call under way here."""
        under_way = _CALL.get()
        return (under_way.message.context or {}) if under_way else {}

    def resolve_method(self, node: str, method: str) -> Callable[..., Any]:
        """The bound method. Raises UnknownNode or UnknownMethod, with the nearest name."""
        if node not in self._nodes:
            if node in self.build:
                raise UnknownNode(
                    f"Node '{node}' belongs to the build, but does not run here: this runtime was started with a part "
                    f"of the nodes, or left it out."
                )
            raise UnknownNode(f"Node '{node}' not found.{suggest_nearest(node, self.build or self._nodes)}")
        bound = getattr(self._nodes[node], method, None)
        if not callable(bound):
            kind = type(self._nodes[node])
            public_names = [n for n in dir(kind) if not n.startswith("_") and callable(getattr(kind, n, None))]
            own = [n for n in public_names if not hasattr(GraphBusNode, n)]
            raise UnknownMethod(
                f"Method '{method}' not found on node '{node}'.{suggest_nearest(method, own or public_names)}"
            )
        callable_method: Callable[..., Any] = bound
        return callable_method

    def call(
        self,
        node: str,
        method: str,
        payload: dict[str, Any],
        *,
        src: str = "runtime",
        context: dict[str, Any] | None = None,
        timeout_s: float | None = None,
        here: bool = False,
    ) -> Any:
        """Call and wait for the result. Raises what the method raises, DeadlineExceeded, PayloadRejected.

        With `here` nobody waits apart for a sync method with a deadline: what it calls in turn has that deadline.
        """
        if self._is_remote(node):
            if get_running_loop() is not None or self._bus is None:
                raise _build_loop_error(node, method, "runs in another process")
            begun = self._begin(src, node, method, payload, context, timeout_s)  # here: its cause is this thread's
            return self._bus.home.wait_for(self._call_remote(begun))
        request = src, node, method, payload, context, timeout_s
        if self.doors is None or node not in self._nodes:
            result = self._call_in_observers(request, here)
        else:
            with self.doors.get(node).enter_call(self._timeout_s if timeout_s is None else timeout_s):
                result = self._call_in_observers(request, here)
        if self.elsewhere is not None:
            self._store_state(self.elsewhere, node)
        return result

    def _call_in_observers(self, request: _CallRequest, in_caller_thread: bool) -> Any:
        bound = self.resolve_method(request[1], request[2])
        under_way = self._begin(*request)
        if self._bus is not None and self._bus.observers:
            with trace_with_all(self._bus.observers, under_way.message, "here"):
                return self._call_checked(bound, under_way, in_caller_thread)
        return self._call_checked(bound, under_way, in_caller_thread)

    def _call_checked(self, bound: Callable[..., Any], under_way: _CallInFlight, in_caller_thread: bool) -> Any:
        message = under_way.message
        node, method, payload = message.dst, message.method, message.payload
        self._check(self._checks.find_call_check(node, method), message, payload, "input", bound)
        try:
            if inspect.iscoroutinefunction(bound):
                result = self._wait(lambda: bound(**message.payload), under_way)
            elif under_way.deadline is None or in_caller_thread:
                result = self._run(bound, under_way)
            else:
                result = self._run_until(bound, under_way)
            if is_awaitable(awaitable := result):  # a plain function around an async one
                result = self._wait(lambda: awaitable, under_way)
        except Exception:
            self.failed += 1
            raise
        self._check(self._checks.find_output_check(node, method), message, result, "output", None)
        return result

    async def acall(
        self,
        node: str,
        method: str,
        payload: dict[str, Any],
        *,
        src: str = "runtime",
        context: dict[str, Any] | None = None,
        timeout_s: float | None = None,
    ) -> Any:
        """`call` for async code; a sync method runs in the loop's own thread, with a deadline in one of its own."""
        if self._is_remote(node):
            return await self._call_remote(self._begin(src, node, method, payload, context, timeout_s))
        async with self._get_gate(node):
            bound = self.resolve_method(node, method)
            begun = self._begin(src, node, method, payload, context, timeout_s)
            result = await self._observe("here", begun, self._acall_checked(bound, begun, aside=False))
        if self.elsewhere is not None and (stored := self.elsewhere.keep(node)) is not None:
            await stored
        return result

    async def answer(self, message: Message, timeout_s: float | None) -> Any:
        """Run a call that came from another process; a sync method runs in a thread of its own.

        Raises what the method raises, and what this side's contracts and policy say.
        """
        if self._closed:
            raise NotRunning(f"The runtime that runs {message.dst} is stopping.")
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        async with self._get_gate(message.dst):
            bound = self.resolve_method(message.dst, message.method)
            if self._policy is not None:
                self._policy.require(message.src, "call", f"{message.dst}.{message.method}")
            begun = _CallInFlight(message, deadline)
            return await self._observe("answered", begun, self._acall_checked(bound, begun, aside=True))

    # Inside

    def _get_gate(self, node: str) -> AbstractAsyncContextManager[None]:
        if self.doors is None or node not in self._nodes:
            return _NO_GATE
        return self.doors.get(node).aenter_call()

    async def _observe(self, place: str, under_way: _CallInFlight, work: Awaitable[Any]) -> Any:
        if self._bus is None or not self._bus.observers:
            return await work
        with trace_with_all(self._bus.observers, under_way.message, place):
            return await work

    async def _acall_checked(self, bound: Callable[..., Any], under_way: _CallInFlight, *, aside: bool) -> Any:
        message = under_way.message
        node, method, payload = message.dst, message.method, message.payload
        self._check(self._checks.find_call_check(node, method), message, payload, "input", bound)
        try:
            if inspect.iscoroutinefunction(bound):
                result = await self._await_until(lambda: bound(**payload), under_way)
            elif under_way.deadline is None and not aside:
                result = self._run(bound, under_way)
            else:
                result = await self._arun_until(bound, under_way)
            if is_awaitable(awaitable := result):
                result = await self._await_until(lambda: awaitable, under_way)
        except Exception:
            self.failed += 1
            raise
        self._check(self._checks.find_output_check(node, method), message, result, "output", None)
        return result

    def _is_remote(self, node: str) -> bool:
        if self.elsewhere is None:
            return False
        return not self.elsewhere.runs_here(node) if node in self._nodes else node in self.build

    def _store_state(self, transport: Transport, node: str) -> None:
        """See that what the call changed is stored. In a loop nobody can wait: then it is stored a moment later."""
        if self._bus is None or (stored := transport.keep(node)) is None:
            return
        if get_running_loop() is None:
            self._bus.home.wait_for(stored)
        else:
            asyncio.run_coroutine_threadsafe(stored, self._bus.home.ensure_loop())

    async def _call_remote(self, under_way: _CallInFlight) -> Any:
        """A call to a node that another process runs. Both sides hold it against the contract."""
        assert self.elsewhere is not None
        message = under_way.message
        node, method = message.dst, message.method
        self._check(self._checks.find_call_check(node, method), message, message.payload, "input", None)
        left_s = REMOTE_TIMEOUT_S if under_way.deadline is None else max(under_way.deadline - time.monotonic(), 0.0)
        try:
            result = await self._observe("asked", under_way, self.elsewhere.call(message, left_s))
        except Exception:
            self.failed += 1
            raise
        self._check(self._checks.find_output_check(node, method), message, result, "output", None)
        return result

    def _begin(
        self,
        src: str,
        node: str,
        method: str,
        payload: dict[str, Any],
        context: dict[str, Any] | None,
        timeout_s: float | None,
    ) -> _CallInFlight:
        if self._closed:
            raise NotRunning(f"The runtime is stopped, so {node}.{method} cannot be called any more. Start it again.")
        if self._policy is not None:
            self._policy.require(src, "call", f"{node}.{method}")
        outer = _CALL.get()
        if outer is not None:
            context = {**(outer.message.context or {}), **(context or {})}
        timeout_s = self._timeout_s if timeout_s is None else timeout_s
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        if outer is not None and outer.deadline is not None:
            deadline = outer.deadline if deadline is None else min(deadline, outer.deadline)
        derived_id = self._bus.causes.derive_call_id(node, method) if self._bus is not None else None
        message = Message(derived_id or generate_id("msg_"), src, node, method, payload, context)
        if deadline is not None and deadline <= time.monotonic():
            raise self._build_deadline_error(message)
        if self._bus is not None:
            self._bus.causes.record_call(message)
        self.made += 1
        return _CallInFlight(message, deadline)

    def _run(self, bound: Callable[..., Any], under_way: _CallInFlight) -> Any:
        token = _CALL.set(under_way)
        try:
            with self._set_cause(under_way.message), self._block_snapshot(under_way.message.dst):
                return bound(**under_way.message.payload)
        finally:
            _CALL.reset(token)

    def _run_until(self, bound: Callable[..., Any], under_way: _CallInFlight) -> Any:
        """Run in another thread and leave it alone when the deadline passes."""
        assert under_way.deadline is not None
        future = self._run_in_thread(bound, under_way)
        try:
            return future.result(max(under_way.deadline - time.monotonic(), 0))
        except futures.TimeoutError:
            if future.done():  # the method's own
                raise
            raise self._build_deadline_error(under_way.message) from None

    async def _arun_until(self, bound: Callable[..., Any], under_way: _CallInFlight) -> Any:
        message = under_way.message
        left_s = None if under_way.deadline is None else max(under_way.deadline - time.monotonic(), 0)
        work = partial(contextvars.copy_context().run, self._run, bound, under_way)
        errand = await self._threads.arun(f"{message.dst}.{message.method}", work, left_s)
        if not errand.is_done():
            raise self._build_deadline_error(message)
        return errand.result()

    def _run_in_thread(self, bound: Callable[..., Any], under_way: _CallInFlight) -> futures.Future[Any]:
        """Run in another thread: making one costs as much as a call over a network, so they are kept."""
        return self._threads.run(partial(contextvars.copy_context().run, self._run, bound, under_way))

    def _wait(self, work: Callable[[], Awaitable[Any]], under_way: _CallInFlight) -> Any:
        if get_running_loop() is not None or self._bus is None:
            if get_running_loop() is None:
                return asyncio.run(self._await_until(work, under_way))
            close_awaitable(work())
            raise _build_loop_error(under_way.message.dst, under_way.message.method, "is async")
        return self._bus.home.wait_for(self._await_until(work, under_way))

    async def _await_until(self, work: Callable[[], Awaitable[Any]], under_way: _CallInFlight) -> Any:
        call = _CALL.set(under_way)
        message = under_way.message
        cause = Event(message.msg_id, "", message.src, {})
        flow = FLOW.set(create_flow(cause, None, active=False))
        try:
            with self._block_snapshot(message.dst):
                if under_way.deadline is None:
                    return await work()
                async with asyncio.timeout(max(under_way.deadline - time.monotonic(), 0)) as limit:
                    return await work()
        except TimeoutError:
            if under_way.deadline is not None and limit.expired():
                raise self._build_deadline_error(message) from None
            raise
        finally:
            FLOW.reset(flow)
            _CALL.reset(call)

    def _set_cause(self, message: Message) -> AbstractContextManager[None]:
        return (
            self._bus.causes.set_cause(message.msg_id, f"{message.dst}.{message.method}")
            if self._bus is not None
            else nullcontext()
        )

    def _block_snapshot(self, node: str) -> AbstractContextManager[None]:
        return self._bus.block_snapshot(node) if self._bus is not None else nullcontext()

    @staticmethod
    def _build_deadline_error(message: Message) -> DeadlineExceeded:
        return DeadlineExceeded(f"{message.dst}.{message.method}, called by {message.src}, did not return in time.")

    def _check(
        self, check: Check | None, message: Message, payload: Any, side: str, bound: Callable[..., Any] | None
    ) -> None:
        if check is None or (violation := check(payload)) is None:
            return
        if bound is not None and (received := bind_payload(bound, payload)) is not None and check(received) is None:
            return
        what = f"{message.dst}.{message.method} {side}"
        error = build_rejection(what, violation)
        if self._bus is not None:
            value = payload if isinstance(payload, dict) else {"value": payload}
            event = Event(message.msg_id, what, message.src, value)
            self._bus.note_violation(event, f"{message.dst}.{message.method}", error)
        if self._checks.is_enforced:
            if self._bus is not None and side == "input":
                self._bus.note_refusal(message.msg_id)
            raise error
        log.warning("payload check: %s", error)


def _build_loop_error(node: str, method: str, why: str) -> RuntimeFault:
    return RuntimeFault(
        f"{node}.{method} {why}, and this is an event loop: write `await self.acall('{node}', '{method}', …)`."
    )
