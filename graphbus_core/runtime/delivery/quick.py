"""The quick road: `publish` and `apublish` where nothing but handlers is needed. `machine` tells how it fits in.

What it costs is measured (`benchmarks/bus.py`), line by line: it asks for nothing that a topic does not need, and
every question that is left is one test of an attribute.
"""

from __future__ import annotations

import logging
from typing import Any

from graphbus_core.model.message import Event, Published
from graphbus_core.runtime.delivery.awaited import Flows
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.frames import FLOW, FLOWS, NOWHERE, UNBOUND, Flow
from graphbus_core.runtime.delivery.machine import Machine
from graphbus_core.runtime.delivery.outcomes import Failed
from graphbus_core.runtime.handling.handlers import PLAIN

log = logging.getLogger("graphbus.runtime")
_flow_here, _enter_flow = FLOW.get, FLOW.set
_flows = FLOWS


class QuickRoad:
    """Publishing on one bus; whatever needs more is handed over to the machine."""

    def __init__(self, core: Core, machine: Machine, flows: Flows) -> None:
        self._core, self._machine, self._flows = core, machine, flows
        self._here = core.frames.local
        self._record = core.history.append
        self._stamp = core.stamp

    def publish(self, topic: str, payload: dict[str, Any], source: str = "system", key: str | None = None) -> Event:
        """Publish to `topic` and return the event; every sync handler has run by then.

        Inside a handler the event waits until the event at hand has reached all its handlers. A handler that raises
        stops nobody else: it is counted, logged, and kept as a dead letter. `key` is for a handler that publishes
        from several tasks at once: it stands in the event's id instead of its ordinal. Raises BadPayload for anything
        but a dict, PayloadRejected where checks are enforced, QueueFull where a queue is full and that is the setting.
        """
        try:
            frame = self._here.frame
            entry = frame.entries[topic]
        except (AttributeError, KeyError, TypeError):
            frame, entry = NOWHERE, UNBOUND  # the `except` ends here: no handler is to see its error
        if (
            frame.current is not None
            or type(payload) is not dict
            or (_flows and _flow_here() is not None)
            or key is not None
        ):
            return self._machine.publish(topic, payload, source, key)
        plan = entry.plan  # a handler may change subscriptions and publish here again, which binds the entry anew
        event: Event = Published()
        try:
            frame.current = event
            frame.plan = plan
            event._id = entry.seq = entry.seq + 1
            event.topic = topic
            event.src = source
            event.payload = payload
            event.timestamp = event.cause = None
            if self._stamp is not None:
                event.timestamp = self._stamp()
            self._record(event)
            try:
                given = plan.run(event if plan.wants_event else payload)
            except BaseException as error:
                given = Failed(error)  # what follows from it follows outside of this `except`
            if given is not None and type(given) not in PLAIN:
                self._machine.after(frame, plan, event, given)
            if frame.queue is not None:
                self._machine.drain_frame(frame)
        finally:
            frame.current = None
        return event

    async def apublish(
        self, topic: str, payload: dict[str, Any], source: str = "system", key: str | None = None
    ) -> Event:
        """Publish to `topic`, await every handler in order, and return the event.

        Inside a handler it returns at once: the event waits, as with `publish`, until the event at hand is done.
        """
        try:
            frame = self._here.frame
            entry = frame.aentries[topic]
        except (AttributeError, KeyError, TypeError):
            frame, entry = NOWHERE, UNBOUND
        if (
            frame.current is not None
            or type(payload) is not dict
            or (_flows and _flow_here() is not None)
            or key is not None
        ):
            return await self._flows.apublish(topic, payload, source, key)
        plan = entry.plan
        event: Event = Published()
        event._id = entry.seq = entry.seq + 1
        event.topic = topic
        event.src = source
        event.payload = payload
        event.timestamp = event.cause = None
        if self._stamp is not None:
            event.timestamp = self._stamp()
        self._record(event)
        if plan.check is not None:
            self._machine.check(plan, event)
        flow = Flow()
        flow.event, flow.bus, flow.plan, flow.ident = event, self._core, plan, frame.ident
        entry.flying += 1
        token = _enter_flow(flow)
        try:
            try:
                await plan.arun(event if plan.awants_event else payload)
            except BaseException as error:
                flow.failure = error
            if flow.failure is not None:
                await self._flows.recover(flow, plan, event, flow.failure)
            if flow.queue is not None:
                await self._flows.drain(flow)
        finally:
            entry.flying -= 1
            flow.active = False
            if flow.queue is not None or flow.failure is not None:
                self._flows.leave(flow)
            try:
                FLOW.reset(token)
            except ValueError:  # a loop that was thrown away ends this in another context
                log.debug("a flow on %s ended in another context", topic)
        return event
