"""The smallest event bus."""
_subscribers = {}


def subscribe(topic, handler):
    _subscribers.setdefault(topic, []).append(handler)


def publish(topic, event):
    for handler in _subscribers.get(topic, []):
        handler(event)
