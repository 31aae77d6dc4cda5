import threading
from contextlib import contextmanager


class Accounts:
    def __init__(self):
        self._lock = threading.RLock()
        self._money = {}

    @contextmanager
    def _guard(self):
        with self._lock:
            yield

    def _apply(self, name, delta):
        left = self._money.get(name, 0) + delta
        if left < 0:
            raise ValueError(f"{name} has too little")
        self._money[name] = left

    def deposit(self, name, amount):
        with self._guard():
            self._apply(name, amount)

    def withdraw(self, name, amount):
        with self._guard():
            self._apply(name, -amount)

    def balance(self, name):
        return self._money.get(name, 0)
