import threading
from contextlib import contextmanager


class Accounts:
    def __init__(self):
        self._lock = threading.Lock()
        self._money = {}

    @contextmanager
    def _guard(self):
        if not self._lock.acquire(timeout=0.3):
            raise TimeoutError("accounts are busy")
        try:
            yield
        finally:
            self._lock.release()

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
