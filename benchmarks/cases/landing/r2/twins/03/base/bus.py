"""A bus."""

LISTENERS = {}


def listen(topic, handler):
    LISTENERS.setdefault(topic, []).append(handler)


def emit(topic, payload):
    return [handler(payload) for handler in LISTENERS.get(topic, [])]
