"""What follows from what: the cause and the id of everything that a handler or a direct call publishes or calls.

An id is a function of (cause, handler, topic, ordinal): the same event delivered to the same handler once more leads
to the same ids. `running` reads off the stack which handler it is, where nobody wrote that down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from graphbus_core.model.message import Event, Message, Origin, derived_id
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.frames import FLOW, Calling, Frame, Ordinals
from graphbus_core.runtime.handling.plan import running


class Causes:
    """Knows, for one bus, on whose behalf a thread or a task is at work."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def origin(self, frame: Frame, what: str, key: str | None = None) -> Origin | None:
        """What the thing that is about to be published or called here follows from; None: it comes from outside."""
        numbers, by = self._place(frame)
        return numbers.next(by, what, key) if numbers is not None else None

    def _place(self, frame: Frame) -> tuple[Ordinals | None, str]:
        if frame.calling is not None:
            return frame.calling.ordinals, frame.calling.by
        if frame.current is not None:
            handler = frame.subscriber
            if handler is None and frame.plan is not None:
                handler = running(frame.plan, awaited=False)
            return frame.numbering(frame.current), handler.durable if handler is not None else ""
        flow = FLOW.get()
        if flow is None:
            return None, ""
        handler = flow.subscriber
        if handler is None and flow.plan is not None and flow.active:
            handler = running(flow.plan, awaited=True)
        return flow.numbering(flow.event), handler.durable if handler is not None else ""

    def again(self, by: str) -> None:
        """`by` begins a further attempt here: what it publishes has the ids of the attempt before."""
        frame, flow = self._core.frames.here(), FLOW.get()
        if frame.calling is not None:
            frame.calling.ordinals.forget(by)
        elif frame.current is not None:
            frame.numbering(frame.current).forget(by)
        elif flow is not None:
            flow.numbering(flow.event).forget(by)

    def known(self, origin: Origin | None, payload: dict[str, Any], source: str) -> Event | None:
        """The event, where it was published before a crash already: it is delivered as the journal has it."""
        ledger = self._core.ledger
        if origin is None or ledger is None or not ledger.made:
            return None
        event = Event(derived_id("event_", origin), origin[2], source, payload, None, origin[0])
        return event if ledger.made_before(event.event_id) else None

    def call_id(self, node: str, method: str) -> str | None:
        """The id of a direct call that is about to be made inside a handler or a call; None outside."""
        origin = self.origin(self._core.frames.here(), f"{node}.{method}()")
        return derived_id("msg_", origin) if origin is not None else None

    def announce_call(self, message: Message) -> None:
        """A direct call is about to be made: journal it."""
        ledger = self._core.ledger
        if ledger is not None:
            ledger.call(self._shown_call(message) if self._core.masks else message, self.cause_here())

    def _shown_call(self, message: Message) -> Message:
        shown, name = self._core.shown, f"{message.dst}.{message.method}"
        payload = shown(Event(message.msg_id, name, message.src, message.payload)).payload
        context = message.context and shown(Event(message.msg_id, name, message.src, message.context)).payload
        return replace(message, payload=payload, context=context)

    def cause_here(self) -> str | None:
        """The id of the event or call that is being handled here, or None."""
        frame = self._core.frames.here()
        if frame.calling is not None:
            return frame.calling.cause
        if frame.current is not None:
            return frame.current.event_id
        flow = FLOW.get()
        return flow.event.event_id if flow is not None else None

    def causing(self, cause: str, by: str = "") -> Calling:
        """While `by` works for `cause` in this thread, what it publishes has that as its cause."""
        return Calling(self._core.frames.here(), cause, by)

    def aside(self, cause: str, by: str, work: Callable[[], Any]) -> Callable[[], Any]:
        """`work`, to be done in another thread: what it publishes there has that cause all the same."""

        def caused() -> Any:
            with self.causing(cause, by):
                return work()

        return caused
