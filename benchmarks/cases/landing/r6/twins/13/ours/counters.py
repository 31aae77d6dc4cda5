import threading

from locks import held


class Counters:
    def __init__(self):
        self._values = {}
        self._lock = threading.RLock()

    def add(self, name, by=1):
        with held(self._lock):
            self._values[name] = self._values.get(name, 0) + by

    def get(self, name):
        return self._values.get(name, 0)

    def drain(self):
        """Take all the values and start again from zero."""
        with held(self._lock):
            values, self._values = self._values, {}
        return values
