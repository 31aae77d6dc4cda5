"""Direct calls: context, deadline, sync and async, payload checks on both sides."""

import time

import pytest

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import DeadlineExceeded, PayloadRejected, RuntimeFault, UnknownTopic
from graphbus_core.runtime import RuntimeExecutor, run_runtime
from tests.runtime.bounded import run as bounded_run

CALLS = {
    "agents/calls.py": """
        import asyncio
        import time

        from graphbus_core import GraphBusNode


        class Front(GraphBusNode):
            SYSTEM_PROMPT = "f"

            def whose(self):
                return self.call("Back", "whose", _context={"step": 2})

            def slow(self, seconds, limit=None):
                return self.call("Back", "slow", seconds=seconds, _timeout_s=limit)

            async def aslow(self, seconds):
                return await self.acall("Back", "aslow", seconds=seconds)

            async def wrong(self):
                return self.call("Back", "aslow", seconds=0)

            def tells(self):
                self.publish("/Told", {})
                self.call("Back", "tells")


        class Back(GraphBusNode):
            SYSTEM_PROMPT = "b"

            def whose(self):
                return self.context

            def slow(self, seconds):
                time.sleep(seconds)
                return "done"

            async def aslow(self, seconds):
                await asyncio.sleep(seconds)
                return self.context or "done"

            def tells(self):
                self.publish("/Told/Again", {})
    """
}


@pytest.fixture
def executor(make_build):
    with run_runtime(make_build(CALLS)) as executor:
        yield executor


def test_a_context_travels_along_and_grows(executor):
    assert executor.request("Front", "whose", context={"user": "ada"}) == {"user": "ada", "step": 2}
    assert executor.call_method("Front", "whose") == {"step": 2}
    assert executor.nodes["Front"].context == {}


def test_a_deadline_ends_the_wait(executor):
    start = time.monotonic()
    with pytest.raises(DeadlineExceeded, match=r"slow, called by"):
        executor.request("Front", "slow", {"seconds": 3}, timeout_s=0.1)
    assert time.monotonic() - start < 2.5
    with pytest.raises(DeadlineExceeded, match=r"Back\.slow.*Front"):
        executor.call_method("Front", "slow", seconds=3, limit=0.1)
    assert executor.request("Front", "slow", {"seconds": 0}, timeout_s=5) == "done"


def test_a_deadline_covers_what_is_called_inside(executor):
    with pytest.raises(DeadlineExceeded):
        executor.request("Front", "aslow", {"seconds": 3}, timeout_s=0.1)


def test_async_methods_are_awaited_from_sync_and_from_async_code(executor):
    assert executor.call_method("Front", "aslow", seconds=0) == "done"

    async def main():
        assert await executor.acall_method("Back", "slow", seconds=0) == "done"
        return await executor.acall_method("Front", "aslow", seconds=0)

    assert bounded_run(main()) == "done"


def test_waiting_for_itself_is_refused_with_what_to_write(executor):
    with pytest.raises(RuntimeFault, match=r"await self\.acall\('Back', 'aslow'"):
        executor.call_method("Front", "wrong")


def test_what_a_call_publishes_is_caused_by_it(executor):
    executor.call_method("Front", "tells")
    again, told = executor.bus.get_message_history()
    assert told.cause is not None
    assert told.cause.startswith("msg_")
    assert again.cause is not None
    assert again.cause != told.cause
    executor.publish("/Told", {})
    assert executor.bus.get_message_history(1)[0].cause is None


class TestChecks:
    """Payload checks: off, warn, enforce (design §11)."""

    @pytest.fixture
    def run(self, shop):
        started = []

        def run(mode):
            executor = RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop), payload_checks=mode))
            executor.start()
            started.append(executor)
            return executor

        yield run
        for executor in started:
            executor.stop()

    def test_enforce_refuses_an_input_with_method_path_expected_and_got(self, run):
        executor = run("enforce")
        with pytest.raises(PayloadRejected, match=r"Inventory\.check_stock input: qty: .*integer.*many"):
            executor.call_method("Inventory", "check_stock", sku="apple", qty="many")
        (letter,) = executor.bus.dead_letters
        assert (letter.subscriber, letter.reason) == ("Inventory.check_stock", "payload")
        assert executor.call_method("Inventory", "check_stock", sku="apple") == {"available": True, "left": 3}

    def test_enforce_refuses_an_output(self, run):
        with pytest.raises(PayloadRejected, match=r"Inventory\.lies output: ok"):
            run("enforce").call_method("Inventory", "lies", sku="x")

    def test_enforce_refuses_a_payload_and_nobody_gets_it(self, run):
        executor = run("enforce")
        with pytest.raises(PayloadRejected, match=r"/Order/Created: id.*integer"):
            executor.publish("/Order/Created", {"id": "one", "sku": "apple"})
        with pytest.raises(PayloadRejected, match=r"/Order/Created: .*extra"):
            executor.publish("/Order/Created", {"id": 1, "sku": "apple", "extra": 1})
        assert executor.nodes["Inventory"].log == []
        stats = executor.get_stats()["message_bus"]
        assert (stats["messages_delivered"], stats["messages_dropped"], stats["payload_violations"]) == (0, 2, 2)
        assert len(executor.bus.dead_letters) == 2

    def test_a_valid_flow_runs_with_checks_enforced(self, run):
        executor = run("enforce")
        assert executor.call_method("Shop", "order", id=5)["sold"]
        assert executor.nodes["Shop"].accepted == [("/Order/Accepted", 5)]

    def test_warn_says_so_and_delivers(self, run, caplog):
        executor = run("warn")
        executor.publish("/Order/Created", {"id": "one", "sku": "apple"})
        assert executor.nodes["Inventory"].log == ["one"]
        assert "/Order/Created: id" in caplog.text
        letters = list(executor.bus.dead_letters)
        assert letters
        assert all(letter.delivered for letter in letters)
        assert executor.retry_dead_letters() == (0, 0)

    def test_off_checks_nothing(self, run):
        assert run("off").call_method("Inventory", "lies", sku=3) == {"ok": "yes"}

    def test_an_unknown_topic_is_refused_with_the_nearest_where_checks_are_enforced(self, run):
        with pytest.raises(UnknownTopic, match=r"/Order/Createt.*Did you mean '/Order/Created'"):
            run("enforce").publish("/Order/Createt", {})
        assert run("off").publish("/Order/Createt", {}).topic == "/Order/Createt"
