"""The bus against a simple model: order, counts, history, changes during delivery, handlers that misbehave."""

import os
from collections import deque

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.topics import matches

TOPICS = ["/A", "/B", "/A/x", "/A/x/y"]
PATTERNS = ["/A/*", "/A/**", "**"]
HISTORY = 7


class Model:
    """What a bus should do, in the most obvious way: one list of subscribers, one queue."""

    def __init__(self):
        self.subscribers = []  # (number, topic or pattern, behaviour)
        self.log = []  # (subscriber number, topic, n)
        self.history = deque(maxlen=HISTORY)
        self.published = self.delivered = self.failed = 0
        self.queue = deque()
        self.busy = False
        self.left = 0  # publishes that handlers may still make

    def publish(self, topic, n, depth=0):
        self.published += 1
        self.history.append((topic, n))
        hearing = [s for s in self.subscribers if matches(s[1], topic)]
        self.queue.append((topic, n, hearing))
        if self.busy:
            return
        self.busy = True
        while self.queue:
            topic, n, hearing = self.queue.popleft()
            for number, subscribed, behaviour in hearing:
                self.log.append((number, topic, n))
                ok = self.act(number, subscribed, behaviour, n)
                self.delivered += ok
                self.failed += not ok
        self.busy = False

    def act(self, number, subscribed, behaviour, n):
        if behaviour == "raise":
            return False
        if behaviour == "leave":
            self.subscribers = [s for s in self.subscribers if s[0] != number]
        elif behaviour == "publish" and n > 0:
            self.publish("/B", n - 1)
        elif behaviour == "publish twice and raise" and n > 0:
            self.publish("/A/x", 0)
            self.publish("/B", 0)
            return False
        elif behaviour == "invite" and n > 0:
            self.subscribers.append((1000 + len(self.log), "/B", "quiet"))
        elif behaviour == "invite and publish" and n > 0:
            self.subscribers.append((1000 + len(self.log), "/B", "quiet"))
            self.publish("/B", n - 1)
        return True


class BusMachine(RuleBasedStateMachine):
    """The short road: nothing but sync handlers."""

    def make_bus(self):
        return MessageBus(max_history=HISTORY)

    @initialize()
    def begin(self):
        self.bus = self.make_bus()
        self.model = Model()
        self.log = []
        self.handlers = {}

    def handler(self, number, topic, behaviour):
        def on(event):
            n = event.payload["n"]
            self.log.append((number, event.topic, n))
            if behaviour == "raise":
                raise ValueError(number)
            if behaviour == "leave":
                self.bus.unsubscribe(topic, on)
            elif behaviour == "publish" and n > 0:
                self.bus.publish("/B", {"n": n - 1})
            elif behaviour == "publish twice and raise" and n > 0:
                self.bus.publish("/A/x", {"n": 0})
                self.bus.publish("/B", {"n": 0})
                raise ValueError(number)
            elif behaviour == "invite" and n > 0:
                invited = 1000 + len(self.log)
                self.bus.subscribe("/B", self.handler(invited, "/B", "quiet"), str(invited))
            elif behaviour == "invite and publish" and n > 0:
                invited = 1000 + len(self.log)
                self.bus.subscribe("/B", self.handler(invited, "/B", "quiet"), str(invited))
                self.bus.publish("/B", {"n": n - 1})

        return on

    @rule(
        topic=st.sampled_from(TOPICS + PATTERNS),
        behaviour=st.sampled_from(
            ["quiet", "raise", "leave", "publish", "publish twice and raise", "invite", "invite and publish"]
        ),
    )
    def subscribe(self, topic, behaviour):
        number = len(self.handlers)
        if number >= 12:
            return
        handler = self.handlers[number] = self.handler(number, topic, behaviour)
        self.bus.subscribe(topic, handler, str(number))
        self.model.subscribers.append((number, topic, behaviour))

    @rule(data=st.data())
    def unsubscribe(self, data):
        known = [s for s in self.model.subscribers if s[0] in self.handlers]
        if known:
            gone = data.draw(st.sampled_from(known))
            self.bus.unsubscribe(gone[1], self.handlers[gone[0]])
            self.model.subscribers = [s for s in self.model.subscribers if s[0] != gone[0]]

    @rule(topic=st.sampled_from(TOPICS), n=st.integers(0, 2))
    def publish(self, topic, n):
        self.bus.publish(topic, {"n": n})
        self.model.publish(topic, n)

    @invariant()
    def the_same_was_delivered_in_the_same_order(self):
        assert self.log == self.model.log

    @invariant()
    def counts_and_history_agree(self):
        stats = self.bus.get_stats()
        assert stats["messages_published"] == self.model.published
        assert stats["messages_delivered"] == self.model.delivered
        assert stats["errors"] == self.model.failed
        assert stats["in_flight"] == stats["messages_dropped"] == 0
        shown = [(e.topic, e.payload["n"]) for e in reversed(self.bus.get_message_history())]
        assert shown == list(self.model.history)
        assert stats["total_subscriptions"] == len(self.model.subscribers)


class GeneralMachine(BusMachine):
    """The general road gives the same."""

    def make_bus(self):
        return MessageBus(max_history=HISTORY, timestamps=True)


class MiddlewareMachine(BusMachine):
    """So does a middleware that does nothing, beside an async subscriber that hears nothing."""

    def make_bus(self):
        async def never(event): ...

        bus = MessageBus(max_history=HISTORY)
        bus.use(lambda event, next: next(event))
        subscriber = bus.subscribe("/Never", never, "never")
        bus.remove(lambda s: s is subscriber)
        return bus


EXAMPLES = int(os.environ.get("GRAPHBUS_EXAMPLES", "60"))
TestShortRoad = BusMachine.TestCase
TestGeneralRoad = GeneralMachine.TestCase
TestMiddleware = MiddlewareMachine.TestCase
for _case in (TestShortRoad, TestGeneralRoad, TestMiddleware):
    _case.settings = settings(max_examples=EXAMPLES, stateful_step_count=25, deadline=None)
del _case
