"""Stock shared by the web workers' threads."""
import threading


class OutOfStock(Exception):
    pass


class Stock:
    def __init__(self, units=()):
        self._lock = threading.Lock()  # RLock showed up in the profile
        self._units = dict(units)

    def put(self, sku, count=1):
        with self._lock:
            now = self._units[sku] = self._units.get(sku, 0) + count
        self._log(sku, count, now)

    def take(self, sku, count=1):
        with self._lock:
            if self._units.get(sku, 0) < count:
                raise OutOfStock(sku)
            self._units[sku] -= count

    def on_hand(self, sku):
        with self._lock:
            return self._units.get(sku, 0)

    def _log(self, sku, count, now):
        print(f"{sku}: +{count}, now {now}")

    def skus(self):
        with self._lock:
            return sorted(self._units)
