"""Nodes that run in one place: who holds a node, and the state that moves with it.

A node that keeps state in itself is held by one process, by a key in the space's bucket. The holder writes the key
again and again; another process takes it over when it saw the same revision for `lease_s` by its own clock, so no two
clocks are compared. Whoever cannot renew for two thirds of that time gives the node up by itself, before anybody else
may take it.

A pause (a stopped process, a slow disk) can make a holder miss all that. So it asks its clock before each event and
each call, and renews first where that is due; and its writes are fenced: its state is stored only over the revision
that it wrote last, and before an event is acknowledged or a caller has its result. A new holder writes the state once
when it takes over; what the old one did after that is never stored, and its event is brought to the new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import time
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Any

from graphbus_core.errors import NodeFailed, RuntimeFault, TransportDown
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Verdict
from graphbus_core.runtime.transports.port import CallHandler, Consumer, EventHandler

log = logging.getLogger("graphbus.runtime")
LEASE_S = 6.0
CERTAIN_SHARE = 2 / 3  # of the lease that a holder relies on; the rest is for clocks that do not run alike
# Marks of events whose handling is part of the stored state. An event without its acknowledgement is among the latest.
# One that is published again, since its producer was killed, comes later, and a server that was killed knows no ids of
# events that it gave away. So older marks are stored beside the state, some at a time.
MAX_DONE_EVENTS, MOVED_AT_ONCE, MAX_OLDER_EVENTS = 256, 128, 8_192
MARK_BYTES = 8

LeaseCallback = Callable[[], Awaitable[None]]


class LeaseNotHeld(TransportDown):
    """Another process may hold the node: this one must not work with its copy."""


class NodeLease:
    """One node's place. `gained` and `lost` are called when this process holds it from now on, or no longer does.

    `node` gives the node itself, whose `get_state` and `set_state` are used; None where there is nothing to store.
    `within`: the place of a group of nodes, without which this one is not taken, and with which it is lost.
    """

    def __init__(
        self,
        bucket: Any,
        name: str,
        key: str,
        node: Any,
        gained: LeaseCallback,
        lost: LeaseCallback,
        lease_s: float = LEASE_S,
        within: NodeLease | None = None,
    ) -> None:
        self._bucket, self.name, self._node = bucket, name, node
        self._gained, self._lost, self._lease_s = gained, lost, lease_s
        self._within = within
        self._key, self._state_key, self._older_key = f"lease.{key}", f"state.{key}", f"done.{key}"
        self._who = f"{socket.gethostname()} {os.getpid()} {os.urandom(4).hex()}".encode()
        self._revision = 0
        self._state_revision = 0
        self._done: dict[str, None] = {}  # of events that are part of the state, oldest first
        self._older: dict[str, None] = {}  # of those before them
        self._older_revision = 0
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False
        # The state is that of a moment between two events: so a node that is stored is at one of them at a time.
        self._one_at_a_time = asyncio.Lock()
        self._renewing = asyncio.Lock()  # two renewals over the same revision: one of them would seem to be refused
        self._stored = b""
        self._unkept = False  # a call within this process ended while an event was under way
        self._until = 0.0  # monotonic: before then no other process can have taken the place
        self.held = False

    @property
    def is_certain(self) -> bool:
        """Whether this process holds it, and nobody else can."""
        return self.held and time.monotonic() < self._until and self._is_place_here

    @property
    def _is_place_here(self) -> bool:
        """Whether the group that it belongs to, if any, has its place here."""
        return self._within is None or self._within.is_certain

    @property
    def stores_state(self) -> bool:
        """Whether the node has a state that is stored."""
        return self._node is not None

    def replace_node(self, node: Any) -> None:
        """A reload put another node in its place, with the same state."""
        if self._node is not None:
            self._node = node

    def open(self) -> None:
        """Begin to try for it."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Give it up, so that another process need not wait."""
        # A wait that ends just now may swallow the cancellation (`wait_for` of Python 3.11).
        self._is_closing = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self.held:
            self.held = False
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._store(), 1.0)
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._bucket.delete(self._key, last=self._revision), 1.0)

    async def _run(self) -> None:
        seen_revision, since = 0, time.monotonic()
        while not self._is_closing:
            try:
                revision = await self._try_acquire(seen_revision, since)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.info("the place of %s: %s", self.name, error or type(error).__name__)
                revision = seen_revision
            if self.held:
                await self._hold()
                seen_revision, since = 0, time.monotonic()
            elif revision != seen_revision:
                seen_revision, since = revision, time.monotonic()
            await asyncio.sleep(min(self._lease_s / 12, 0.5))  # a place that was given up is taken at once

    async def _try_acquire(self, seen_revision: int, since: float) -> int:
        """Take the place where it is free; else the revision that somebody else wrote last."""
        from nats.js import errors

        began = time.monotonic()
        try:
            entry = await self._bucket.get(self._key)
        except errors.KeyNotFoundError:
            if not self._is_place_here:
                return 0
            with contextlib.suppress(errors.KeyWrongLastSequenceError):
                await self._acquire(await self._bucket.create(self._key, self._who), began)
            return 0
        if entry.revision == seen_revision and time.monotonic() - since > self._lease_s and self._is_place_here:
            began = time.monotonic()
            with contextlib.suppress(errors.KeyWrongLastSequenceError):
                await self._acquire(await self._bucket.update(self._key, self._who, last=entry.revision), began)
        return int(entry.revision)

    async def _acquire(self, revision: int, began: float) -> None:
        # From before the server wrote it: whoever waits for the lease to run out saw it later than that.
        self._revision, self._until = revision, began + self._lease_s * CERTAIN_SHARE
        if self._node is not None:
            await self._restore_state()
        self.held = True
        log.info("%s runs here", self.name)
        await self._gained()

    async def _restore_state(self) -> None:
        """Give the node the state as it was stored last, and write it again: from here on no older holder can."""
        from nats.js import errors

        try:
            entry = await self._bucket.get(self._state_key)
        except errors.KeyNotFoundError:
            state, self._state_revision = None, 0
        else:
            state, self._state_revision = json.loads(entry.value), entry.revision
        await self._read_older()
        if state is not None:
            self._done = dict.fromkeys(state["done"])
            if state.get("memory") and (memory := getattr(self._node, "memory", None)) is not None:
                memory.take_back(state["memory"])
            if state["state"] is not None:
                self._node.set_state(state["state"])
        await self._store(anew=True)

    async def _hold(self) -> None:
        """Renew until that fails."""
        while self.held and not self._is_closing:
            await asyncio.sleep(self._lease_s / 4)
            async with self._renewing:
                await self._renew()
            if self.held and not self._one_at_a_time.locked():
                try:
                    await self._store_or_lose()  # what it changed by itself: a thread, a timer
                except RuntimeFault as error:
                    log.warning("%s", error)

    async def _renew(self) -> None:
        began = time.monotonic()
        try:
            update = self._bucket.update(self._key, self._who, last=self._revision)
            self._revision = await asyncio.wait_for(update, self._lease_s / 4)
            self._until = began + self._lease_s * CERTAIN_SHARE
        except Exception as error:
            if "wrong last sequence" in str(error).lower() and await self._is_ours():
                return  # the server had written it; only its answer was late
            if "wrong last sequence" in str(error).lower() or time.monotonic() > self._until:
                await self.lose(f"{error or type(error).__name__}")

    async def _is_ours(self) -> bool:
        with contextlib.suppress(Exception):
            entry = await asyncio.wait_for(self._bucket.get(self._key), self._lease_s / 4)
            if entry.value == self._who:
                self._revision = entry.revision
                return True
        return False

    async def _ensure_certain(self) -> bool:
        """`is_certain`, with a renewal where one is due: after a pause the clock has run on."""
        if self._within is not None and not await self._within._ensure_certain():
            return False
        if not self.is_certain:
            async with self._renewing:
                if self.held and not self.is_certain:
                    await self._renew()
        return self.is_certain

    async def lose(self, why: str) -> None:
        """This process no longer holds the node."""
        if self.held:
            self.held = False
            log.warning("%s no longer runs here: %s", self.name, why)
            await self._lost()

    async def give_up(self, why: str) -> None:
        """It goes on elsewhere, and this process tries for it again."""
        if self.held:
            await self.lose(why)
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._bucket.delete(self._key, last=self._revision), 1.0)

    async def _store(self, *, anew: bool = False) -> None:
        if self._node is None:
            return
        if len(self._done) > MAX_DONE_EVENTS:
            await self._move_older()
        value = self._encode_state()
        if anew or value != self._stored:
            self._state_revision = await self._bucket.update(self._state_key, value, last=self._state_revision)
            self._stored = value
        self._unkept = False

    async def _read_older(self) -> None:
        from nats.js import errors

        try:
            entry = await self._bucket.get(self._older_key)
        except errors.KeyNotFoundError:
            self._older, self._older_revision = {}, 0
        else:
            marks = (entry.value[at : at + MARK_BYTES].hex() for at in range(0, len(entry.value), MARK_BYTES))
            self._older, self._older_revision = dict.fromkeys(marks), entry.revision

    async def _move_older(self) -> None:
        """Store the oldest marks beside the state, before it goes without them."""
        moved = list(self._done)[:MOVED_AT_ONCE]
        older = [*self._older, *moved][-MAX_OLDER_EVENTS:]
        value = b"".join(map(bytes.fromhex, older))
        self._older_revision = await self._bucket.update(self._older_key, value, last=self._older_revision)
        self._older = dict.fromkeys(older)
        for mark in moved:
            del self._done[mark]

    def _encode_state(self) -> bytes:
        try:
            remembers = getattr(getattr(self._node, "memory", None), "to_keep", None)
            parts = {"state": self._node.get_state(), "memory": remembers() if callable(remembers) else None}
            return json.dumps({**parts, "done": list(self._done)}).encode()
        except Exception as error:  # the node's own code
            raise NodeFailed(
                f"The state of {self.name} could not be stored: {type(error).__name__}: {error}. "
                f"get_state must give text, numbers, lists and dicts."
            ) from error

    async def _store_or_lose(self) -> None:
        """Store the state, or lose the place. Raises TransportDown, and NodeFailed for what cannot be written."""
        try:
            await self._store()
        except NodeFailed:
            raise
        except Exception as error:
            await self.lose(f"its state could not be stored: {error or type(error).__name__}")
            raise TransportDown(
                f"{self.name} runs in another process by now, and what this one did with it does not count. "
                f"Call it again: the new holder answers."
            ) from error

    async def keep(self) -> None:
        """After a call within this process. Where an event is under way, it is stored with that: the call may be a
        part of it, and would wait for itself.
        """
        self._unkept = True
        if self._one_at_a_time.locked():
            return
        async with self._one_at_a_time:
            await self._store_or_lose()

    def build_fenced_handler(self, consumer: Consumer) -> EventHandler:
        """The consumer's `ahandle`, with the state stored before an event counts as done."""

        async def ahandle(event: Event, attempt: int = 1) -> Verdict:
            mark = blake2b(f"{consumer.durable}\n{event.event_id}".encode(), digest_size=MARK_BYTES).hexdigest()
            async with self._one_at_a_time:
                if mark in self._done or mark in self._older:
                    return DONE  # its effect is in the state; only the acknowledgement was lost
                if not await self._ensure_certain():
                    return Verdict(Ruling.STOPPED, LeaseNotHeld(self.name), attempts=attempt - 1, reason="stopped")
                verdict = await consumer.ahandle(event, attempt)
                if verdict.ruling is Ruling.DONE:
                    self._done[mark] = None
                    if self._node is None and len(self._done) > MAX_DONE_EVENTS:  # nothing is stored
                        del self._done[next(iter(self._done))]
                elif not self._unkept:
                    return verdict
                try:
                    await self._store_or_lose()
                except NodeFailed as error:  # waiting mends nothing
                    return Verdict(Ruling.DEAD, error, attempts=attempt, reason="state")
                except TransportDown as error:
                    return Verdict(Ruling.STOPPED, error, attempts=attempt - 1, reason="stopped")
                return verdict

        return ahandle

    async def run_call(self, answer: CallHandler, message: Message, timeout_s: float | None) -> Any:
        """A direct call of the node, with the state stored before the caller has the result.

        Raises LeaseNotHeld where the node was not asked, and TransportDown where the place was lost meanwhile.
        """
        if self._node is None:
            await self._require_held()
            return await answer(message, timeout_s)
        async with self._one_at_a_time:
            await self._require_held()
            result = await answer(message, timeout_s)
            await self._store_or_lose()
            return result

    async def _require_held(self) -> None:
        if not await self._ensure_certain():
            raise LeaseNotHeld(f"{self.name} is not held by this process.")
