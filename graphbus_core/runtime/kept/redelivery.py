"""Dead letters delivered once more: to the handler that failed, and to nobody who had the event already."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from graphbus_core.errors import RuntimeFault, UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.handling.checks import rejection
from graphbus_core.runtime.handling.handlers import Exhausted, close
from graphbus_core.runtime.handling.home import is_failure, running_loop
from graphbus_core.runtime.handling.subscriber import Subscriber
from graphbus_core.runtime.handling.topics import labelled

if TYPE_CHECKING:
    from graphbus_core.runtime.delivery.causes import Causes
    from graphbus_core.runtime.kept.dead_letters import DeadLetter

log = logging.getLogger("graphbus.runtime")


class _NotHere(RuntimeFault):
    def __init__(self) -> None:
        super().__init__(
            "The handler of this dead letter is async, and this is an event loop, which cannot wait for itself: write "
            "`await executor.aretry_dead_letters()`, or `await bus.aretry_dead_letter(letter)`."
        )


class Redelivery:
    """The retry of dead letters, for one bus."""

    def __init__(self, core: Core, causes: Causes) -> None:
        self._core = core
        self._causes = causes

    def retry(self, letter: DeadLetter) -> bool:
        """Deliver a dead letter once more, to the subscriber that failed; say whether it went well.

        A letter that never reached any subscriber goes to whoever listens now. It is kept, and the log says why, where
        nobody hears it, where its payload breaks a contract that is enforced, and where it is one of a direct call.
        Raises UsageError for one whose fields were hidden when it was kept: what they held is not known. Raises
        RuntimeFault in an event loop that would have to wait for itself: use `aretry` there.
        """
        targets = self._targets(letter)
        # Looked at before anything is delivered: half of the handlers done and the other half refused is the worst
        # outcome.
        if running_loop() is not None and any(s.is_async for s in targets):
            raise _NotHere()
        event = Event(**letter.event)
        for subscriber in targets:
            with self._causes.causing(event.event_id, subscriber.durable):
                verdict = subscriber.handle(event, subscriber.attempts)
            if verdict.given is not None:
                if running_loop() is not None:
                    # Closed, or Python warns of a coroutine that nobody awaited.
                    close(verdict.given)
                    raise _NotHere()
                verdict = self._core.home.wait_for(subscriber.settle(verdict))
            if verdict.error is not None:
                return self._retry_failed(letter, verdict.error)
        return self._retried(letter, targets)

    async def aretry(self, letter: DeadLetter) -> bool:
        """`retry` for async code: awaits the handler."""
        targets = self._targets(letter)
        event = Event(**letter.event)
        for subscriber in targets:
            with self._causes.causing(event.event_id, subscriber.durable):
                verdict = await subscriber.ahandle(event, subscriber.attempts)
            if verdict.error is not None:
                return self._retry_failed(letter, verdict.error)
        return self._retried(letter, targets)

    def _targets(self, letter: DeadLetter) -> list[Subscriber]:
        """Who is to get it now; nobody where it has to stay, and the log says why."""
        if letter.redacted:
            raise UsageError(
                f"The dead letter {letter.id} holds '***' where fields were hidden, and cannot be delivered again. "
                f"Publish to {letter.topic} with the real values, then purge {letter.id}."
            )
        # A direct call is its caller's: it was told of the failure, and may have made it again.
        if letter.topic in (f"{letter.subscriber} input", f"{letter.subscriber} output"):
            return self._stays(
                letter, "it is one of a direct call, which nobody waits for any more: make the call again"
            )
        heard = self._core.subscribers(letter.topic)
        # In brackets stands why nobody got it, and then no handler is named.
        never_delivered = letter.subscriber.startswith("(")
        targets = [s for s in heard if never_delivered or labelled(s, heard) == letter.subscriber]
        if not targets:
            who = "nobody" if never_delivered else f"no '{letter.subscriber}'"
            return self._stays(letter, f"{who} listens to {letter.topic} now")
        # Against the contract of today: a new build may have mended it, or broken it.
        check = self._core.checks.of_topic(letter.topic) if self._core.checks.enforced else None
        violation = check(letter.event["payload"]) if check is not None else None
        if violation is not None:
            self._core.dead_letters.failed_again(letter, rejection(letter.topic, violation))
            return self._stays(letter, f"its payload still breaks the contract: {violation}")
        return targets

    @staticmethod
    def _stays(letter: DeadLetter, why: str) -> list[Subscriber]:
        log.warning("the dead letter %s stays: %s", letter.id, why)
        return []

    def _retried(self, letter: DeadLetter, targets: list[Subscriber]) -> bool:
        if not targets:
            return False
        # Counted when it went well, or each try would look like a new event.
        self._core.tally.begun(letter.topic, len(targets))
        self._core.dead_letters.remove(letter.id)
        return True

    def _retry_failed(self, letter: DeadLetter, error: BaseException) -> bool:
        if isinstance(error, _NotHere) or not is_failure(error):
            raise error
        # The cause and not the wrapper: who reads the letter wants the handler's own error.
        error = error.error if isinstance(error, Exhausted) else error
        self._core.dead_letters.failed_again(letter, error)
        log.error("retry of %s failed: %s", letter.id, type(error).__name__, exc_info=error)
        return False
