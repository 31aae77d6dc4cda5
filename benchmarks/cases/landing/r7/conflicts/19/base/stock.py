"""Shelves of a small parts store, used by several counters at once."""
import threading
from contextlib import contextmanager


class Busy(Exception):
    pass


class Stock:
    def __init__(self, patience=1.0):
        self._lock = threading.Lock()
        self._patience = patience
        self._shelves = {}

    @contextmanager
    def _locked(self):
        if not self._lock.acquire(timeout=self._patience):
            raise Busy("somebody else is at the shelves")
        try:
            yield
        finally:
            self._lock.release()

    def count(self, shelf):
        return self._shelves.get(shelf, 0)

    def put(self, shelf, pieces):
        self._shelves[shelf] = self.count(shelf) + pieces

    def take(self, shelf, pieces):
        left = self.count(shelf) - pieces
        if left < 0:
            raise ValueError(f"only {self.count(shelf)} on {shelf}")
        self._shelves[shelf] = left

    def inventory(self):
        """All counts at one moment."""
        with self._locked():
            return dict(self._shelves)
