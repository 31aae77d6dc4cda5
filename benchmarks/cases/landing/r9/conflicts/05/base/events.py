from collections import defaultdict


class Events:
    """Tell everybody who asked: subscribers get the payload, a dict."""

    def __init__(self):
        self._subscribers = defaultdict(list)

    def on(self, name, subscriber):
        self._subscribers[name].append(subscriber)

    def emit(self, name, payload):
        for subscriber in self._subscribers[name]:
            subscriber(payload)
