import weakref


def _weak(func):
    return weakref.WeakMethod(func) if hasattr(func, "__self__") else weakref.ref(func)


class Bus:
    """Does not keep its listeners alive: closed previews used to pile up."""

    def __init__(self):
        self._listeners = {}

    def subscribe(self, event, func):
        self._listeners.setdefault(event, []).append(_weak(func))

    def emit(self, event, payload):
        for ref in list(self._listeners.get(event, ())):
            func = ref()
            if func is None:
                self._listeners[event].remove(ref)
            else:
                func(payload)
