"""A small in-process event bus."""


class EventBus(object):
    """Delivers each published event to all handlers of its topic."""

    def __init__(self):
        self._handlers = {}

    def subscribe(self, topic, handler):
        """Register a handler; handlers are called in order of registration."""
        self._handlers.setdefault(topic, []).append(handler)

    def publish(self, topic, payload):
        """Call every handler with its own copy of the payload."""
        for handler in self._handlers.get(topic, ()):
            handler(dict(payload))
