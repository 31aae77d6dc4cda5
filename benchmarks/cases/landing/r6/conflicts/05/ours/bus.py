class Bus:
    def __init__(self):
        self._handlers = {}

    def on(self, topic, handler):
        self._handlers.setdefault(topic, []).append(handler)

    def emit(self, topic, event):
        for handler in self._handlers.get(topic, []):
            handler(event)
