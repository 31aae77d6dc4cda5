class Bus:
    def __init__(self):
        self._listeners = {}

    def subscribe(self, event, func):
        self._listeners.setdefault(event, []).append(func)

    def emit(self, event, payload):
        for func in list(self._listeners.get(event, ())):
            func(payload)
