from collections import defaultdict


class Bus:
    def __init__(self):
        self._subscribers = defaultdict(list)

    def subscribe(self, topic, fn):
        self._subscribers[topic].append(fn)

    def publish(self, topic, payload):
        for fn in self._subscribers[topic]:
            fn(dict(payload))
