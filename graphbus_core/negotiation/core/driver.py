"""The driver: asks all open questions at once, wherever the answers come from, and settles them in order.

It keeps each reply in the answers store before it is used. The order in which answers arrive never matters: the
session settles them in canonical order, so the same answers give the same log.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

from graphbus_core.errors import IllegalMove, ParticipantError
from graphbus_core.negotiation.core.ports import Answers, Participant, Reply, View
from graphbus_core.negotiation.core.preflight import apply_preflight, make_try_id
from graphbus_core.negotiation.core.protocol import (
    Answered,
    Applied,
    Apply,
    Ask,
    Elapsed,
    Event,
    Json,
    Result,
    Silent,
    Wait,
)
from graphbus_core.negotiation.core.session import Session, parse_attempt, strip_attempt

# Run a coroutine from code that is not async, also where a loop runs already (a notebook, an async program).


T = TypeVar("T")


def run_blocking(main: Coroutine[Any, Any, T]) -> T:
    """The result of `main`, which the caller waits for. In a thread of its own where this one has a loop that runs.

    An interrupt cancels `main`, waits until it has ended, and is raised then.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main)
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = []

    async def run_main() -> T:
        started.append((asyncio.get_running_loop(), asyncio.ensure_future(main)))
        return await started[0][1]

    with ThreadPoolExecutor(1, "graphbus-negotiation") as thread:
        future = thread.submit(contextvars.copy_context().run, asyncio.run, run_main())
        try:
            return future.result()
        except BaseException:
            if started and not future.done():
                loop, task = started[0]
                loop.call_soon_threadsafe(task.cancel)
            raise


S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - outcome

Effect = Callable[[Apply], Awaitable[Json]]
Try = Callable[[Ask, Json], Awaitable[Json | None]]  # the result of a try; None where there is nothing to try
Observer = Callable[[Ask | Apply | Wait | Event, Reply | None], None]


class Driver:
    """Run one session to its outcome.

    `try_` finds out whether an answer would hold (`core.tried`); it is asked once for each answer that is well formed.
    `observe` is told of every question when it is sent (`observe(ask, None)`), of every reply
    (`observe(ask, reply)`) and of every recorded fact (`observe(event, None)`); it must not raise.
    """

    def __init__(
        self,
        participants: Mapping[str, Participant],
        answers: Answers,
        apply: Effect | None = None,
        observe: Observer | None = None,
        try_: Try | None = None,
    ) -> None:
        self.participants = participants
        self.answers = answers
        self.apply = apply
        self.try_ = try_
        self.observe: Observer = observe or (lambda what, reply: None)
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._replies: dict[str, Reply] = {}
        self._waiting: dict[str, float] = {}  # wait id -> when it is over, in loop time
        self._moved = asyncio.Event()  # somebody submitted a move: what is pending may have changed

    def submit(self, session: Session[S, O], who: str, move: Json) -> list[Event]:
        """Record a move that nobody asked for while `run` is under way, and have it looked at now."""
        facts = session.submit(who, move)
        self._notify(facts)
        self._moved.set()
        return facts

    async def run(self, session: Session[S, O]) -> O:
        """Drive `session` until it has an outcome. Cancelling loses nothing that was answered."""
        try:
            self._notify(session.advance())
            while (outcome := session.outcome) is None:
                head = session.head
                if head is None:
                    raise IllegalMove(f"{session.protocol.name}: nothing is pending and there is no outcome")
                self._moved.clear()
                result = await self._await_result(session, head)
                if result is not None:
                    self._notify(session.settle(head.id, result))
            return outcome
        finally:
            for task in self._asked.values():
                task.cancel()
            if self._asked:
                await asyncio.gather(*self._asked.values(), return_exceptions=True)
            self._asked.clear()

    async def _await_result(self, session: Session[S, O], head: Ask | Apply | Wait) -> Result | None:
        """The result of the head; None where a move came first, so that the head must be looked at again."""
        if isinstance(head, Wait):
            now = asyncio.get_running_loop().time()
            over = self._waiting.setdefault(head.id, now + head.within_s)
            try:
                await asyncio.wait_for(self._moved.wait(), max(0.0, over - now))
            except TimeoutError:
                return Elapsed()
            return None
        if isinstance(head, Apply):
            if self.apply is None:
                raise IllegalMove(f"{session.protocol.name}: {head.kind} wants an effect and none is seated")
            self.observe(head, None)
            return Applied(await self.apply(head))
        if head.id not in self._replies and head.id not in self._asked:
            for want in session.pending():  # a new phase: everything that is open, at once
                if isinstance(want, Ask) and want.id not in self._asked and want.id not in self._replies:
                    self._send(session, want)
        if (task := self._asked.get(head.id)) is not None and not await self._wait_for_answer(task):
            return None
        self._asked.pop(head.id, None)
        reply = self._replies.pop(head.id)
        return Answered(reply.body) if reply.body is not None else Silent(reply.why or "no answer")

    async def _wait_for_answer(self, task: asyncio.Task[None]) -> bool:
        """Whether the question is answered, rather than a move made."""
        if not task.done():
            moved = asyncio.ensure_future(self._moved.wait())
            try:
                await asyncio.wait({task, moved}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                moved.cancel()
        if self._moved.is_set():
            return False
        task.result()  # raises what ended the participant for good
        return True

    def _send(self, session: Session[S, O], ask: Ask) -> None:
        stored = self.answers.get(ask.id)
        if stored is not None and not self._needs_try(session, ask, stored):
            self._store_reply(session, ask, stored)
            return
        self._asked[ask.id] = asyncio.ensure_future(
            self._ask(session, ask) if stored is None else self._try(session, ask, stored)
        )

    async def _ask(self, session: Session[S, O], ask: Ask) -> None:
        participant = self.participants.get(ask.to)
        if participant is None:
            reply = Reply(None, f"nobody is seated as {ask.to}")
        else:
            self.observe(ask, None)
            refused = collect_refusals(ask, self.answers, session.check)
            reply = await ask_participant(participant, ask, View(session.feed.view(ask.to, ask.pin), refused))
        reply = self.answers.put(ask.id, reply)
        self.observe(ask, reply)
        await self._try(session, ask, reply)

    def _needs_try(self, session: Session[S, O], ask: Ask, reply: Reply) -> bool:
        """Whether a try of this answer is still due: a restart may find an answer whose try was cut off."""
        untried = self.try_ is not None and self.answers.get(make_try_id(ask.id)) is None
        return untried and reply.body is not None and session.check(ask, reply.body) is None

    async def _try(self, session: Session[S, O], ask: Ask, reply: Reply) -> None:
        """Try the answer where somebody can, keep what came of it, and only then use it."""
        if self.try_ is not None and reply.body is not None and self._needs_try(session, ask, reply):
            result = await self.try_(ask, reply.body)
            if result is not None:
                self.answers.put(make_try_id(ask.id), Reply(result))
        self._store_reply(session, ask, reply)

    def _store_reply(self, session: Session[S, O], ask: Ask, reply: Reply) -> None:
        reply = apply_preflight(reply, self.answers.get(make_try_id(ask.id)))
        self._replies[ask.id] = reply
        if reply.body is None or session.check(ask, reply.body) is None:
            return
        retry = session.make_next_attempt(ask)
        if retry is not None and retry.id not in self._asked:
            self._send(session, retry)  # early: `check` needs the ask alone

    def _notify(self, events: list[Event]) -> None:
        for event in events:
            self.observe(event, None)


async def ask_participant(participant: Participant, ask: Ask, view: View) -> Reply:
    """What a participant answers within the time of the ask. Raises ParticipantError; any other fault is silence."""
    try:
        return await asyncio.wait_for(participant.answer(ask, view), ask.within_s)
    # A seat of somebody's code may wait for ever; the ask's own time is its bound.
    except TimeoutError:
        return Reply(None, f"no answer within {ask.within_s or 0:g} s")
    except ParticipantError:
        raise
    # Any fault of a participant is its silence, told with its words. It must not end the others' negotiation.
    except Exception as e:
        return Reply(None, f"{type(e).__name__}: {e}")


def collect_refusals(ask: Ask, answers: Answers, check: Callable[[Ask, Json], str | None]) -> tuple[str, ...]:
    """Why the earlier attempts at this question were refused: computed, so that a restart tells the same."""
    reasons = []
    for number in range(1, parse_attempt(ask.id)):
        earlier = replace(ask, id=strip_attempt(ask.id) + (f"#{number}" if number > 1 else ""))
        stored = answers.get(earlier.id)
        reply = apply_preflight(stored, answers.get(make_try_id(earlier.id))) if stored is not None else None
        if reply is not None and reply.body is not None:
            reasons.append(check(earlier, reply.body) or "")
    return tuple(reasons)
