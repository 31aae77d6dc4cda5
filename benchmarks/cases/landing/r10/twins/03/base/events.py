"""A very small publish/subscribe bus."""
from collections import defaultdict


class Bus:
    def __init__(self):
        self._handlers = defaultdict(list)

    def subscribe(self, topic, handler):
        self._handlers[topic].append(handler)

    def publish(self, topic, payload):
        for handler in list(self._handlers[topic]):
            handler(payload)
