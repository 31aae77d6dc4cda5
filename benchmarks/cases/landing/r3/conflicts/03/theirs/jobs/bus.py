"""A tiny in-process event bus."""
from collections import defaultdict


class Bus:
    def __init__(self):
        self._handlers = defaultdict(list)
        self.dropped = []

    def on(self, event, handler):
        self._handlers[event].append(handler)

    def emit(self, event, payload):
        """Call every handler; a failing handler must not stop the others."""
        for handler in self._handlers[event]:
            try:
                handler(payload)
            except Exception as error:
                self.dropped.append((event, repr(error)))
