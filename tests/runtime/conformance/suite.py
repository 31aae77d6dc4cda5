"""The delivery conformance suite: what a node may rely on, whichever transport carries its events and calls.

    class TestMine(TransportSuite):
        @pytest.fixture
        def world(self): ...        # a `World` on a fresh broker

Every test starts runtimes of classes of its own. No test measures how quick a transport is.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
import time
from collections import defaultdict

import pytest

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe
from graphbus_core.errors import DeadlineExceeded, NodeFailed, PayloadRejected, UnknownMethod, UnknownNode
from tests.runtime.bounded import joined
from tests.runtime.conformance.world import LONG_S, until

PAYLOADS = [
    {},
    {"text": "Grüße, 世界 🌍", "empty": "", "quote": '"\\\n\u2028'},
    {"n": 2**63, "minus": -1, "float": 0.1, "yes": True, "nothing": None},
    {"deep": {"list": [1, [2, [3, {"four": []}]]], "dict": {}}},
]


def row_of(runtime, topic):
    """What a runtime counted of a topic. A verdict is counted a moment after its handler is done."""
    return runtime.get_stats()["message_bus"]["topics"][topic]


class TransportSuite:
    """What must hold over every transport."""

    # Events

    def test_a_payload_arrives_as_it_was_published(self, world):
        """And with it the id that `publish` returned, the topic and who published it."""
        seen = []

        class Hears(GraphBusNode):
            @subscribe("/Said/**")
            def on_said(self, event, _more=None):
                seen.append((event.event_id, event.topic, event.src, event.payload, event.timestamp))

        with world.running([Hears], timestamps=True) as (one,):
            made = [one.publish(f"/Said/N{i}", payload, source="me") for i, payload in enumerate(PAYLOADS)]
            until(lambda: len(seen) == len(made))
        assert seen == [(e.event_id, e.topic, "me", e.payload, e.timestamp) for e in made]
        assert all(isinstance(row[4], float) for row in seen)

    def test_every_event_reaches_every_handler(self, world):
        """Sync and async, of one node and of several."""
        seen = defaultdict(list)

        class First(GraphBusNode):
            @subscribe("/Count")
            def on_count(self, payload):
                seen["sync"].append(payload["n"])

            @subscribe("/Count")
            async def on_count_too(self, payload):
                await asyncio.sleep(0)
                seen["async"].append(payload["n"])

        class Second(GraphBusNode):
            @subscribe("/Count")
            def on_count(self, payload):
                seen["other"].append(payload["n"])

        with world.running([First, Second], {"First"}, {"Second"}) as (one, *_):
            for n in range(100):
                one.publish("/Count", {"n": n})
            until(lambda: all(len(seen[who]) >= 100 for who in ("sync", "async", "other")))
        every = list(range(100))
        assert {who: sorted(set(got)) for who, got in seen.items()} == {"sync": every, "async": every, "other": every}

    def test_one_publisher_is_heard_in_its_order(self, world):
        """Also while others publish; also on several topics, by a handler of a pattern."""
        seen = defaultdict(list)

        class Hears(GraphBusNode):
            @subscribe("/Step/*")
            def on_step(self, event, _more=None):
                seen[event.payload["who"]].append(event.payload["n"])

        def publish(runtime, who):
            for n in range(60):
                runtime.publish(f"/Step/T{n % 3}", {"who": who, "n": n})

        with world.running([Hears]) as (one,):
            threads = [threading.Thread(daemon=True, target=publish, args=(one, who)) for who in "abc"]
            for thread in threads:
                thread.start()
            joined(*threads)
            until(lambda: sum(map(len, seen.values())) >= 180)
        assert dict(seen) == {who: list(range(60)) for who in "abc"}

    def test_patterns_hear_what_they_match(self, world):
        """`*` is one word, `**` any number, none included; nobody hears an event twice over one subscription."""
        seen = defaultdict(list)

        class Hears(GraphBusNode):
            @subscribe("/Order/*")
            def one_word(self, event, _more=None):
                seen["*"].append(event.topic)

            @subscribe("/Order/**")
            def any_number(self, event, _more=None):
                seen["**"].append(event.topic)

            @subscribe("/*/Created")
            def any_first(self, event, _more=None):
                seen["first"].append(event.topic)

            @subscribe("/Order/Created")
            def exactly(self, event, _more=None):
                seen["exact"].append(event.topic)

        topics = ["/Order", "/Order/Created", "/Order/Item/Added", "/User/Created", "/Orders/Created", "/End"]
        expected = {
            "*": ["/Order/Created"],
            "**": ["/Order", "/Order/Created", "/Order/Item/Added"],
            "first": ["/Order/Created", "/User/Created", "/Orders/Created"],
            "exact": ["/Order/Created"],
        }
        with world.running([Hears], checks="off") as (one,):
            for topic in topics:
                one.publish(topic, {})
            until(lambda: sum(map(len, seen.values())) >= 8)
        assert dict(seen) == expected

    def test_what_a_handler_publishes_follows_from_its_event(self, world):
        """It arrives, in its order, with the event's id as its cause and the node as its source."""
        seen = []

        class Splits(GraphBusNode):
            @subscribe("/Whole")
            @publishes("/Part", {"n": int})
            def on_whole(self, payload):
                for n in range(payload["n"]):
                    self.publish("/Part", {"n": n})

        class AlsoAsync(GraphBusNode):
            @subscribe("/Part")
            @publishes("/Crumb", {"n": int})
            async def on_part(self, payload):
                self.publish("/Crumb", {"n": payload["n"]})
                await self.apublish("/Crumb", {"n": -payload["n"]})

        class Hears(GraphBusNode):
            @subscribe("/*")
            def on_any(self, event, _more=None):
                seen.append(event)

        groups = ({"Splits"}, {"AlsoAsync", "Hears"})
        with world.running([Splits, AlsoAsync, Hears], *groups, checks="off") as (one, *_):
            whole = one.publish("/Whole", {"n": 20})
            until(lambda: len(seen) >= 61)
        parts = [e for e in seen if e.topic == "/Part"]
        assert [e.payload["n"] for e in parts] == list(range(20))
        assert {(e.cause, e.src) for e in parts} == {(whole.event_id, "Splits")}
        crumbs = [e for e in seen if e.topic == "/Crumb"]
        assert [e.payload["n"] for e in crumbs] == [sign * n for n in range(20) for sign in (1, -1)]
        assert [e.cause for e in crumbs] == [e.event_id for e in parts for _ in (1, -1)]
        assert len({e.event_id for e in seen}) == 61

    # Failures

    def test_a_handler_that_fails_is_tried_again_after_a_pause_that_doubles(self, world):
        """And no more once it went well; the other handlers get the event once."""
        tried, others = [], []

        class Hears(GraphBusNode):
            @subscribe("/Try", retries=5, backoff_s=0.1)
            def on_try(self, payload):
                tried.append(time.monotonic())
                if len(tried) < 4:
                    raise ValueError("not yet")

            @subscribe("/Try")
            def other(self, payload):
                others.append(payload)

        with world.running([Hears]) as (one,):
            one.publish("/Try", {})
            until(lambda: len(tried) == 4 and others)
            one.publish("/Done", {})
            time.sleep(0.3)
            assert world.dead_letters([one]) == []
        assert len(tried) == 4
        assert others == [{}]
        pauses = [b - a for a, b in itertools.pairwise(tried)]
        assert all(pause >= least * 0.9 for pause, least in zip(pauses, (0.1, 0.2, 0.4), strict=True)), pauses

    @pytest.mark.parametrize("asynchronous", [False, True])
    def test_what_can_never_be_handled_is_one_dead_letter(self, world, asynchronous):
        """After all its tries, with the payload as published; events after it are handled."""
        tried, seen = [], []

        def handle(payload):
            tried.append(payload["n"])
            if payload["n"] == 1:
                payload["n"] = "changed"
                raise ValueError("poison")
            seen.append(payload["n"])

        class Sync(GraphBusNode):
            @subscribe("/Eat", retries=2, backoff_s=0.01)
            def on_eat(self, payload):
                handle(payload)

        class Async(GraphBusNode):
            @subscribe("/Eat", retries=2, backoff_s=0.01)
            async def on_eat(self, payload):
                handle(payload)

        kind = Async if asynchronous else Sync
        with world.running([kind]) as (one,):
            for n in range(4):
                one.publish("/Eat", {"n": n})
            until(lambda: len(seen) >= 3 and tried.count(1) >= 3)
            until(lambda: world.dead_letters([one]))
            time.sleep(0.1)
            assert world.dead_letters([one]) == [(f"{kind.__name__}.on_eat", {"n": 1})]
        assert tried.count(1) == 3
        assert sorted(seen) == [0, 2, 3]

    def test_a_handler_that_fails_without_retries_fails_once(self, world):
        """Whatever it raises, an error of its own making included."""
        tried = []

        class Odd(Exception):
            def __str__(self):
                raise RuntimeError("no text")

        class Hears(GraphBusNode):
            @subscribe("/Odd")
            def on_odd(self, payload):
                tried.append(payload["n"])
                raise (Odd(), KeyError("x"), asyncio.CancelledError())[payload["n"]]

        with world.running([Hears]) as (one,):
            for n in range(3):
                one.publish("/Odd", {"n": n})
            until(lambda: len(tried) >= 3)
            until(lambda: len(world.dead_letters([one])) >= 3)
            letters = world.dead_letters([one])
        assert tried == [0, 1, 2]
        assert sorted(payload["n"] for _, payload in letters) == [0, 1, 2]

    def test_a_second_attempt_makes_the_same_ids(self, world):
        """So whoever keeps ids knows a consequence again. Other handlers and places in the order have other ids."""
        tried, seen = defaultdict(int), []

        class Makes(GraphBusNode):
            @subscribe("/Make", retries=2, backoff_s=0.01)
            def on_make(self, payload):
                self.publish("/Made", {"by": "sync", "n": 1})
                self.publish("/Made", {"by": "sync", "n": 2})
                tried["sync"] += 1
                if tried["sync"] < 3:
                    raise ValueError("again")

            @subscribe("/Make", retries=2, backoff_s=0.01)
            async def on_make_too(self, payload):
                await self.apublish("/Made", {"by": "async", "n": 1})
                tried["async"] += 1
                if tried["async"] < 3:
                    raise ValueError("again")

        class Hears(GraphBusNode):
            @subscribe("/Made")
            def on_made(self, event, _more=None):
                seen.append((event.payload["by"], event.payload["n"], event.event_id, event.cause))

        with world.running([Makes, Hears]) as (one,):
            cause = one.publish("/Make", {}).event_id
            until(lambda: tried == {"sync": 3, "async": 3} and len({row[:2] for row in seen}) == 3)
            time.sleep(0.1)
        ids = {(by, n): {row[2] for row in seen if row[:2] == (by, n)} for by, n, *_ in seen}
        assert sorted(ids) == [("async", 1), ("sync", 1), ("sync", 2)]
        assert all(len(known) == 1 for known in ids.values()), ids
        assert len(set.union(*ids.values())) == 3
        assert {row[3] for row in seen} == {cause}

    def test_a_key_makes_an_id_that_no_order_changes(self, world):
        """For a handler that publishes from several tasks at once."""
        tried, seen = [], []

        class Makes(GraphBusNode):
            @subscribe("/Lines", retries=1, backoff_s=0.01)
            async def on_lines(self, payload):
                tried.append(1)
                order = [0, 1, 2] if len(tried) == 1 else [2, 0, 1]
                for n in order:
                    self.bus.publish("/Line", {"n": n}, source=self.name, key=f"line {n}")
                if len(tried) == 1:
                    raise ValueError("again")

        class Hears(GraphBusNode):
            @subscribe("/Line")
            def on_line(self, event, _more=None):
                seen.append((event.payload["n"], event.event_id))

        with world.running([Makes, Hears]) as (one,):
            one.publish("/Lines", {})
            until(lambda: len(tried) == 2 and len({n for n, _ in seen}) == 3)
            time.sleep(0.1)
        assert len(set(seen)) == 3, seen

    @pytest.mark.parametrize("asynchronous", [False, True])
    def test_events_of_one_key_keep_their_order(self, world, asynchronous):
        """With retries, with other keys beside them, and with two runtimes that share the node."""
        seen, failed, at_work = defaultdict(list), set(), defaultdict(int)

        def handle(payload):
            mark = payload["k"], payload["n"]
            at_work[payload["k"]] += 1
            try:
                assert at_work[payload["k"]] == 1, "two events of one key at once"
                if payload["n"] % 4 == 0 and mark not in failed:
                    failed.add(mark)
                    raise ValueError("once more")
                seen[payload["k"]].append(payload["n"])
            finally:
                at_work[payload["k"]] -= 1

        class Keyed(GraphBusNode):
            @subscribe("/Keyed", key="k", retries=2, backoff_s=0.02)
            def on_keyed(self, payload):
                handle(payload)

        class Awaits(GraphBusNode):
            @subscribe("/Keyed", key="k", retries=2, backoff_s=0.02)
            async def on_keyed(self, payload):
                await asyncio.sleep(0)
                handle(payload)

        node = Awaits if asynchronous else Keyed
        with world.running([node], {node.__name__}, {node.__name__}) as runtimes:
            for n in range(20):
                runtimes[n % len(runtimes)].publish("/Keyed", {"k": n % 3, "n": n // 3})
            until(lambda: sum(map(len, seen.values())) == 20, lambda: dict(seen))
        assert dict(seen) == {k: list(range(len(range(k, 20, 3)))) for k in range(3)}

    def test_a_handler_that_hangs_is_given_up_after_its_time(self, world):
        """It is a dead letter, and the next event is handled."""
        seen, over = [], threading.Event()

        class Hangs(GraphBusNode):
            @subscribe("/Hang", timeout_s=0.2)
            async def on_hang(self, payload):
                if payload["n"] == 0:
                    await asyncio.sleep(3600)
                seen.append(payload["n"])

            @subscribe("/Hang", timeout_s=0.2)
            def on_hang_too(self, payload):
                if payload["n"] == 0:
                    over.wait(30)
                else:
                    seen.append(payload["n"])

        with world.running([Hangs]) as (one,):
            one.publish("/Hang", {"n": 0})
            one.publish("/Hang", {"n": 1})
            until(lambda: seen == [1, 1])
            until(lambda: len(world.dead_letters([one])) == 2)
            over.set()
        assert seen == [1, 1]

    # The border

    def test_a_payload_that_breaks_its_contract_reaches_nobody(self, world):
        """The publisher is told, with the path."""
        seen = []

        class Orders(GraphBusNode):
            @publishes("/Order/Created", {"id": int})
            def order(self, id):
                self.publish("/Order/Created", {"id": id})

        class Hears(GraphBusNode):
            @subscribe("/Order/Created")
            def on_order(self, payload):
                seen.append(payload["id"])

        with world.running([Orders, Hears], {"Orders"}, {"Hears"}) as (one, *_):
            with pytest.raises(PayloadRejected, match="id"):
                one.call_method("Orders", "order", id="seven")
            one.call_method("Orders", "order", id=8)
            until(lambda: seen)
        assert seen == [8]

    # Calls

    def test_calls(self, world):
        """A result, a context that travels along, an async method, what a method raises."""

        class Front(GraphBusNode):
            def ask(self, method, **given):
                return self.call("Back", method, _context={"user": "ada"}, **given)

            async def aask(self, method, **given):
                return await self.acall("Back", method, _context={"user": "bob"}, **given)

        class Back(GraphBusNode):
            def add(self, a, b=2):
                return {"sum": a + b, "user": self.context["user"]}

            async def aadd(self, a, b=2):
                await asyncio.sleep(0)
                return {"sum": a + b, "user": self.context["user"]}

            def fails(self, why):
                raise ValueError(why)

        with world.running([Front, Back], {"Front"}, {"Back"}, checks="off") as (one, *_):
            for method in ("add", "aadd"):
                assert one.call_method("Front", "ask", method=method, a=1) == {"sum": 3, "user": "ada"}
                assert one.call_method("Front", "aask", method=method, a=1, b=5) == {"sum": 6, "user": "bob"}
            for ask in ("ask", "aask"):
                with pytest.raises(ValueError, match="out of stock: 世界"):
                    one.call_method("Front", ask, method="fails", why="out of stock: 世界")

    def test_a_call_to_what_is_not_there_says_what_is(self, world):
        """An unknown method, with the nearest one; an unknown node."""

        class Front(GraphBusNode):
            def ask(self, node, method):
                return self.call(node, method)

        class Back(GraphBusNode):
            def check_stock(self):
                return {}

        with world.running([Front, Back], {"Front"}, {"Back"}) as (one, *_):
            with pytest.raises(UnknownMethod, match="check_stock"):
                one.call_method("Front", "ask", node="Back", method="check_stok")
            with pytest.raises(UnknownNode, match="Back"):
                one.call_method("Front", "ask", node="Bac", method="check_stock")

    def test_a_call_ends_at_its_deadline(self, world):
        """Whatever the method does, and also where the deadline is the caller's caller's."""
        over = threading.Event()

        class Front(GraphBusNode):
            def ask(self, method, limit):
                return self.call("Back", method, _timeout_s=limit)

        class Back(GraphBusNode):
            def hangs(self):
                over.wait(30)

            async def ahangs(self):
                await asyncio.sleep(3600)

            def quick(self):
                return "quick"

        with world.running([Front, Back], {"Front"}, {"Back"}) as (one, *_):
            for method in ("hangs", "ahangs"):
                with pytest.raises(DeadlineExceeded, match=f"Back.{method}"):
                    one.call_method("Front", "ask", method=method, limit=0.3)
            with pytest.raises(DeadlineExceeded):
                one.request("Front", "ask", {"method": "hangs", "limit": 25.0}, timeout_s=0.3)
            assert one.call_method("Front", "ask", method="quick", limit=10.0) == "quick"
            over.set()

    def test_both_sides_of_a_call_are_held_to_its_contract(self, world):
        """What it takes and what it gives, with the path."""

        class Front(GraphBusNode):
            def ask(self, **given):
                return self.call("Back", "check", **given)

        class Back(GraphBusNode):
            @schema_method(input_schema={"sku": str}, output_schema={"left": int})
            def check(self, sku):
                return {"left": "many" if sku == "lie" else 3}

            @subscribe("/Any")
            def on_any(self, payload):
                """So that there is something to enforce."""

        with world.running([Front, Back], {"Front"}, {"Back"}) as (one, *_):
            assert one.call_method("Front", "ask", sku="apple") == {"left": 3}
            with pytest.raises(PayloadRejected, match=r"Back\.check input"):
                one.call_method("Front", "ask", sku=7)
            with pytest.raises(PayloadRejected, match=r"Back\.check output"):
                one.call_method("Front", "ask", sku="lie")

    def test_what_a_called_method_publishes_arrives(self, world):
        """With the call as its cause: the same for both of its events."""
        seen = []

        class Front(GraphBusNode):
            def ask(self):
                return self.call("Back", "tell")

        class Back(GraphBusNode):
            def tell(self):
                self.publish("/Told", {"n": 1})
                self.publish("/Told", {"n": 2})
                return "told"

        class Hears(GraphBusNode):
            @subscribe("/Told")
            def on_told(self, event, _more=None):
                seen.append(event)

        with world.running([Front, Back, Hears], {"Front", "Hears"}, {"Back"}) as (one, *_):
            assert one.call_method("Front", "ask") == "told"
            until(lambda: len(seen) == 2)
        assert [e.payload["n"] for e in seen] == [1, 2]
        assert len({e.cause for e in seen}) == 1
        assert seen[0].cause is not None

    # Life

    def test_a_stop_waits_for_what_is_under_way(self, world):
        """A handler that began ends, and what it publishes at its end arrives."""
        begun, seen = threading.Event(), []

        class Slow(GraphBusNode):
            @subscribe("/Work")
            def on_work(self, payload):
                begun.set()
                time.sleep(0.3)
                self.publish("/Worked", {})

        class Hears(GraphBusNode):
            @subscribe("/Worked")
            def on_worked(self, payload):
                seen.append("worked")

        with world.running([Slow, Hears], {"Hears"}, {"Slow"}, checks="off") as runtimes:
            threading.Thread(target=runtimes[0].publish, args=("/Work", {}), daemon=True).start()
            assert begun.wait(20)
            runtimes[-1].stop()  # the one that runs Slow
            assert runtimes[-1].unfinished == []
            assert runtimes[-1].stop_failures == []
            until(lambda: seen == ["worked"])

    def test_a_start_that_failed_and_a_stop_are_followed_by_a_start(self, world):
        """Each start makes its own nodes, and every event and call reaches those of the last one alone."""
        made, heard = [], []

        class Hears(GraphBusNode):
            def __init__(self):
                made.append(self)
                self.mine = len(made)

            def on_start(self):
                if self.mine == 1:
                    raise ValueError("not yet")

            @subscribe("/Said")
            def on_said(self, payload):
                heard.append((payload["n"], self.mine))

            @schema_method(input_schema={}, output_schema={"mine": int})
            def whose(self):
                return {"mine": self.mine}

        (runtime,) = world.made([Hears], checks="off", stop_timeout_s=5.0)
        with pytest.raises(NodeFailed, match="not yet"):
            runtime.start()
        for n in (2, 3):
            with runtime:
                for _ in range(4):
                    runtime.publish("/Said", {"n": n})
                until(lambda n=n: [one for one in heard if one[0] == n] == [(n, n)] * 4, lambda: heard)
                assert runtime.call_method("Hears", "whose") == {"mine": n}

    def test_nodes_that_were_not_chosen_do_not_run(self, world):
        """They are not made, hear nothing, and a call to them says so."""
        made, seen = [], []

        class One(GraphBusNode):
            def __init__(self):
                made.append("One")

            @subscribe("/Hello")
            def on_hello(self, payload):
                seen.append("One")

        class Two(GraphBusNode):
            def __init__(self):
                made.append("Two")

            @subscribe("/Hello")
            def on_hello(self, payload):
                seen.append("Two")

            def ask(self):
                return 2

        with world.running([One, Two], {"One"}) as (one,):
            one.publish("/Hello", {})
            until(lambda: seen)
            time.sleep(0.1)
            with pytest.raises(UnknownNode, match="Two"):
                one.request("Two", "ask", timeout_s=LONG_S)
        assert (made, seen) == (["One"], ["One"])

    def test_on_start_and_on_stop_may_publish(self, world):
        """What they publish arrives."""
        seen = []

        class Says(GraphBusNode):
            def on_start(self):
                self.publish("/Life", {"now": "start"})

            def on_stop(self):
                self.publish("/Life", {"now": "stop"})

        class Hears(GraphBusNode):
            @subscribe("/Life")
            def on_life(self, payload):
                seen.append(payload["now"])

        with world.running([Says, Hears], {"Hears"}, {"Says"}) as runtimes:
            until(lambda: seen == ["start"])
            runtimes[-1].stop()
            until(lambda: len(seen) > 1)
        assert seen == ["start", "stop"]

    def test_in_an_event_loop(self, world):
        """`async with`: handlers, publishes and calls on the program's own loop."""
        seen = []

        class Front(GraphBusNode):
            @subscribe("/Go")
            async def on_go(self, payload):
                seen.append((await self.acall("Back", "double", n=payload["n"]), threading.get_ident()))

        class Back(GraphBusNode):
            async def double(self, n):
                return 2 * n

        async def main():
            async with contextlib.AsyncExitStack() as stack:
                runtimes = world.made([Front, Back], {"Back"}, {"Front"}, checks="off")
                for runtime in runtimes:
                    await stack.enter_async_context(runtime)
                for n in range(5):
                    await runtimes[-1].apublish("/Go", {"n": n})
                for _ in range(2000):
                    if len(seen) == 5:
                        break
                    await asyncio.sleep(0.01)
            return threading.get_ident()

        here = asyncio.run(asyncio.wait_for(main(), 60))
        assert sorted(seen) == [(2 * n, here) for n in range(5)]

    def test_stats_add_up(self, world):
        """Delivered and failed, over all runtimes, and nothing in flight at the end."""
        seen = []

        class Hears(GraphBusNode):
            @subscribe("/N", retries=1, backoff_s=0.01)
            def on_n(self, payload):
                seen.append(payload["n"])
                if payload["n"] % 5 == 0:
                    raise ValueError("five")

        with world.running([Hears]) as (one,):
            for n in range(20):
                one.publish("/N", {"n": n})
            expected = {"published": 20, "delivered": 16, "failed": 4, "dropped": 0, "in_flight": 0}
            until(lambda: len(seen) == 24 and row_of(one, "/N") == expected, lambda: row_of(one, "/N"))
            assert row_of(one, "/N") == expected


class BrokerSuite(TransportSuite):
    """What must hold besides, where runtimes share a broker."""

    def test_runtimes_of_one_node_share_its_events(self, world):
        """Each event goes to one of them; all of them work."""
        seen = defaultdict(list)

        class Works(GraphBusNode):
            def __init__(self):
                self.me = len(seen)
                seen[self.me] = []

            @subscribe("/Job")
            def on_job(self, payload):
                seen[self.me].append(payload["n"])
                time.sleep(0.005)

        with world.running([Works], {"Works"}, {"Works"}) as (one, two):
            for n in range(60):
                (one if n % 2 else two).publish("/Job", {"n": n})
            until(lambda: sum(map(len, seen.values())) >= 60)
            time.sleep(0.1)
        assert sorted(seen[0] + seen[1]) == list(range(60))
        assert all(seen.values())

    def test_events_wait_for_a_node_that_is_down(self, world):
        """What is published meanwhile reaches it when it is back, in its order."""
        seen = []

        class Says(GraphBusNode):
            pass

        class Hears(GraphBusNode):
            @subscribe("/While")
            def on_while(self, payload):
                seen.append(payload["n"])

        with world.running([Says, Hears], {"Says"}) as (one,):
            with world.running([Says, Hears], {"Hears"}):
                one.publish("/While", {"n": 0})
                until(lambda: seen == [0])
            for n in range(1, 30):
                one.publish("/While", {"n": n})
            assert seen == [0]
            with world.running([Says, Hears], {"Hears"}):
                until(lambda: len(seen) >= 30)
        assert seen == list(range(30))

    def test_a_runtime_that_dies_in_a_handler_loses_nothing(self, world):
        """Its event comes to another one, with the same id."""
        seen, never = [], threading.Event()
        broken = []

        class Works(GraphBusNode):
            def __init__(self):
                self.me = len(broken)
                broken.append(self)

            @subscribe("/Job")
            async def on_job(self, event, _more=None):
                seen.append((self.me, event.event_id))
                if self.me == 0:
                    await asyncio.to_thread(never.wait, 20)

        with world.running([Works], {"Works"}, stop_timeout_s=0.3) as (one,):
            made = one.publish("/Job", {})
            until(lambda: seen)
            one.stop()
            with world.running([Works], {"Works"}):
                until(lambda: len(seen) == 2)
            never.set()
        assert seen == [(0, made.event_id), (1, made.event_id)]

    def test_the_contract_holds_at_the_border_of_each_runtime(self, world):
        """A runtime that checks nothing may publish what another one refuses: that is a dead letter there."""
        seen = []

        class Says(GraphBusNode):
            @publishes("/Order/Created", {"id": int})
            def order(self, id):
                self.publish("/Order/Created", {"id": id})

        class Hears(GraphBusNode):
            @subscribe("/Order/Created", retries=3)
            def on_order(self, payload):
                seen.append(payload["id"])

        with world.running([Says, Hears], {"Hears"}) as (hears,):
            with world.running([Says, Hears], {"Says"}, checks="off") as (says,):
                says.call_method("Says", "order", id="seven")
                says.call_method("Says", "order", id=8)
                until(lambda: seen and world.dead_letters([hears]))
            letters = world.dead_letters([hears])
        assert seen == [8]
        assert letters == [("Hears.on_order", {"id": "seven"})]

    def test_what_comes_back_is_held_to_the_contract_here_too(self, world):
        """Of a node whose own runtime checks nothing."""

        class Front(GraphBusNode):
            def ask(self):
                return self.call("Back", "check")

            @subscribe("/Any")
            def on_any(self, payload):
                """So that there is something to enforce."""

        class Back(GraphBusNode):
            @schema_method(input_schema={}, output_schema={"left": int})
            def check(self):
                return {"left": "many"}

        with (
            world.running([Front, Back], {"Back"}, checks="off"),
            world.running([Front, Back], {"Front"}) as (front,),
            pytest.raises(PayloadRejected, match=r"Back\.check output"),
        ):
            front.call_method("Front", "ask")

    def test_what_a_second_attempt_publishes_again_is_heard_once(self, world):
        """It has the ids of the first attempt, and a broker knows ids."""
        tried, heard = [], []

        class Makes(GraphBusNode):
            @subscribe("/Make", retries=3, backoff_s=0.01)
            def on_make(self, payload):
                self.publish("/Made", {"n": 1})
                tried.append(1)
                if len(tried) < 4:
                    raise ValueError("again")
                self.publish("/Made", {"n": 2})

        class Hears(GraphBusNode):
            @subscribe("/Made")
            def on_made(self, payload):
                heard.append(payload["n"])

        with world.running([Makes, Hears]) as (one,):
            one.publish("/Make", {})
            until(lambda: 2 in heard)
        assert heard == [1, 2]

    def test_middleware_stands_around_each_delivery(self, world):
        """In the runtime of the handler; what it keeps from it is dropped and counted."""
        seen, through = [], []

        class Hears(GraphBusNode):
            @subscribe("/M")
            def on_m(self, payload):
                seen.append(payload["n"])

            @subscribe("/M")
            async def on_m_too(self, payload):
                seen.append(payload["n"])

        def keeps_odd_ones(event, next):
            through.append(event.payload["n"])
            return next(event) if event.payload["n"] % 2 == 0 else None

        with world.running([Hears], middleware=[keeps_odd_ones]) as (one,):
            for n in range(4):
                one.publish("/M", {"n": n})
            expected = {"published": 4, "delivered": 4, "failed": 0, "dropped": 4, "in_flight": 0}
            until(lambda: len(through) == 8 and row_of(one, "/M") == expected, lambda: row_of(one, "/M"))
        assert sorted(seen) == [0, 0, 2, 2]
