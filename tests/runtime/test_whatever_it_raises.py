"""Whatever a handler raises ends its own attempt, and nobody else's; Ctrl-C stays Ctrl-C."""

import asyncio
import gc

import pytest

from graphbus_core.errors import RemoteError
from graphbus_core.runtime.concurrency import is_failure
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.persistence.journal import Journal
from graphbus_core.runtime.subscriptions.handlers import Bounds, Retry
from tests.runtime.bounded import run as bounded_run


class Own(BaseException):
    """A handler's own, beyond Exception."""


FAILURES = {
    "SystemExit": lambda: SystemExit(3),
    "GeneratorExit": GeneratorExit,
    "BaseExceptionGroup": lambda: BaseExceptionGroup("g", [Own(), SystemExit()]),
    "Own": Own,
    "StopIteration": StopIteration,
    "StopAsyncIteration": StopAsyncIteration,
    "CancelledError": asyncio.CancelledError,
    "ValueError": lambda: ValueError("no"),
}
ROADS = ("quick", "journal", "middleware", "together")


def build_bus(road, folder):
    bus = MessageBus(journal=Journal(folder / "j") if road == "journal" else None, together=road == "together")
    if road == "middleware":
        bus.use(lambda event, next: next(event))
    return bus


def plain(make):
    def handler(event):
        raise make()

    return handler


def awaited(make):
    async def handler(event):
        await asyncio.sleep(0)
        raise make()

    return handler


def in_a_task(make):
    async def handler(event):
        async def inner():
            raise make()

        await inner()

    return lambda event: handler(event)


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("form", [plain, awaited, in_a_task])
@pytest.mark.parametrize("more", [{}, {"retry": Retry(2)}, {"bounds": Bounds(timeout_s=20.0)}])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_the_next_ones_get_the_event(tmp_path, name, road, form, more, asynchronous):
    bus, got, tries = build_bus(road, tmp_path), [], []

    def make():
        tries.append(1)
        return FAILURES[name]()

    async def late(event):
        got.append("late")

    bus.subscribe("/T", lambda e: got.append("first"), "first")
    bus.subscribe("/T", form(make), "failing", **more)
    bus.subscribe("/T", lambda e: got.append("next"), "next")
    bus.subscribe("/T", late, "late")
    if asynchronous:
        bounded_run(bus.apublish("/T", {}))
    else:
        bus.publish("/T", {})
    assert sorted(got) == ["first", "late", "next"]
    assert len(tries) == (3 if "retry" in more else 1)
    (letter,) = bus.dead_letters
    # Python's own rule: a StopIteration that leaves a coroutine is a RuntimeError.
    assert letter.error_type == name or (letter.error_type, name[:4]) == ("RuntimeError", "Stop")
    assert (letter.subscriber, letter.count, letter.reason) == ("failing", len(tries), "handler")
    stats = bus.get_stats()
    assert (stats["messages_delivered"], stats["errors"], stats["messages_dropped"]) == (3, 1, 0)
    bus.home.close()


@pytest.mark.parametrize("make", [KeyboardInterrupt, lambda: BaseExceptionGroup("g", [Own(), KeyboardInterrupt()])])
@pytest.mark.parametrize("more", [{}, {"retry": Retry(2)}])
@pytest.mark.parametrize("road", ROADS)
def test_ctrl_c_stays_ctrl_c(tmp_path, make, more, road):
    bus, got, tries = build_bus(road, tmp_path), [], []

    def failing(event):
        tries.append(1)
        raise make()

    bus.subscribe("/T", failing, "failing", **more)
    bus.subscribe("/T", got.append, "next")
    with pytest.raises((KeyboardInterrupt, BaseExceptionGroup)):
        bus.publish("/T", {})
    assert (got, len(tries)) == ([], 1)


def test_a_delivery_that_is_closed_from_outside_is_no_failure():
    """A loop that is thrown away closes what waits on it: no retry, no letter of reason `handler`."""
    bus, tries = MessageBus(), []

    async def hangs(event):
        tries.append(1)
        await asyncio.get_running_loop().create_future()

    bus.subscribe("/T", hangs, "hangs", retry=Retry(5))

    async def first_steps():
        work = bus.apublish("/T", {})
        work.send(None)
        work.close()

    bounded_run(first_steps())
    gc.collect()
    assert len(tries) == 1
    assert [letter.reason for letter in bus.dead_letters] in ([], ["stopped"])


def test_a_generator_exit_is_told_by_where_it_came_from():
    async def raises():
        raise GeneratorExit

    async def waits():
        await asyncio.get_running_loop().create_future()

    seen = []

    async def catch(work):
        try:
            await work()
        except GeneratorExit as error:
            seen.append(is_failure(error))

    async def main():
        await catch(raises)
        closed = catch(waits)
        closed.send(None)
        closed.close()

    bounded_run(main())
    assert seen == [True, False]


def test_a_call_from_another_process_is_answered_whatever_the_method_raises():
    from graphbus_core import GraphBusNode
    from graphbus_core.runtime.transports.in_process import Hub, InProcess
    from graphbus_core.testing.harness import ClassExecutor

    class Quits(GraphBusNode):
        def leave(self):
            raise SystemExit(3)

        async def aleave(self):
            raise Own

    class Asks(GraphBusNode):
        pass

    hub = Hub()
    there = ClassExecutor([Quits, Asks], "off", nodes={"Quits"}, transport=InProcess(hub))
    here = ClassExecutor([Quits, Asks], "off", nodes={"Asks"}, transport=InProcess(hub))
    there.start()
    here.start()
    try:
        for method in ("leave", "aleave"):
            with pytest.raises(RemoteError):
                here.call_method("Quits", method)
    finally:
        here.stop()
        there.stop()
