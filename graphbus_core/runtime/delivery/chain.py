"""The middleware around a delivery, and the foreign dispatcher beside it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from graphbus_core.errors import PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.outcomes import Outcomes
from graphbus_core.runtime.handling.plan import Plan

log = logging.getLogger("graphbus.runtime")


class Chain:
    """The middleware of one bus, outermost first."""

    def __init__(self, core: Core, outcomes: Outcomes) -> None:
        self._core = core
        self._outcomes = outcomes

    def through(self, plan: Plan, event: Event, final: Callable[[Event], Any]) -> Any:
        """Call the middleware with `final` at the end. Counts what it does not hand on."""
        tally = self._core.tally
        reached = 0

        def last(handed_on: Event) -> Any:
            nonlocal reached
            if not isinstance(handed_on, Event):
                raise TypeError(f"middleware called next({handed_on!r}), and must hand on an Event")
            reached += 1
            if reached > 1:
                tally.begun(plan.topic, plan.n)
            return final(handed_on)

        call: Callable[[Event], Any] = last
        for middleware in reversed(self._core.middleware):
            call = _link(middleware, call)

        def settle(error: Exception | None) -> None:
            if error is not None:
                log.error("middleware failed on %s: %r", event.topic, error, exc_info=error)
                if not reached:
                    tally.failed(plan.topic, plan.n)
                    self._outcomes.bury(event, "(middleware)", error, "middleware")
                    self._over(plan, event)
            elif not reached:
                tally.dropped(plan.topic, plan.n)
                self._over(plan, event)

        try:
            result = call(event)
        except PayloadRejected:
            raise
        except Exception as error:
            settle(error)
            return None
        if inspect.isawaitable(result):
            return _settled(result, settle)
        settle(None)
        return result

    def _over(self, plan: Plan, event: Event) -> None:
        """The middleware kept the event from everybody: that is its last word, also after a crash."""
        if self._core.ledger is not None:
            for subscriber in plan.subscribers:
                self._core.ledger.done(event, subscriber)

    def ask_dispatcher(self, event: Event) -> None:
        """Hand the event to a foreign dispatcher, too (seed 002 §5.3)."""
        try:
            self._core.dispatcher.dispatch_event(event)
        except Exception as error:
            log.error("the dispatcher failed on %s: %r", event.topic, error, exc_info=error)


def _link(middleware: Callable[[Event, Callable[[Event], Any]], Any], inner: Callable[[Event], Any]) -> Any:
    return lambda event: middleware(event, inner)


async def _settled(result: Awaitable[Any], settle: Callable[[Exception | None], None]) -> Any:
    try:
        value = await result
    except PayloadRejected:
        raise
    except Exception as error:
        settle(error)
        return None
    settle(None)
    return value
