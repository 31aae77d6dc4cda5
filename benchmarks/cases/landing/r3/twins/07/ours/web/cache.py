"""An in-memory cache with expiry."""
import time


class Cache:
    def __init__(self, clock=time.time, limit=1000):
        self.clock = clock
        self.limit = limit
        self._items = {}

    def _now(self):
        return int(self.clock() * 1000)

    def put(self, key, value, ttl=60):
        """Keep value for ttl seconds; fractions count to the millisecond."""
        if len(self._items) >= self.limit:
            self.sweep()
        self._items[key] = (value, self._now() + int(ttl * 1000))

    def get(self, key, default=None):
        value, until = self._items.get(key, (default, None))
        if until is not None and until <= self._now():
            del self._items[key]
            return default
        return value

    def sweep(self):
        now = self._now()
        self._items = {key: item for key, item in self._items.items() if item[1] > now}
