"""Stock shared by the web workers' threads."""
import threading


class OutOfStock(Exception):
    pass


class Stock:
    def __init__(self, units=()):
        self._lock = threading.RLock()
        self._units = dict(units)

    def put(self, sku, count=1):
        with self._lock:
            self._units[sku] = self._units.get(sku, 0) + count
            self._log(sku, count)

    def take(self, sku, count=1):
        with self._lock:
            if self._units.get(sku, 0) < count:
                raise OutOfStock(sku)
            self._units[sku] -= count

    def on_hand(self, sku):
        with self._lock:
            return self._units.get(sku, 0)

    def _log(self, sku, count):
        print(f"{sku}: +{count}, now {self.on_hand(sku)}")

    def skus(self):
        with self._lock:
            return sorted(self._units)

    def reserve_all(self, wanted):
        """A whole basket or nothing of it."""
        with self._lock:
            short = [sku for sku, count in wanted.items() if self._units.get(sku, 0) < count]
            if short:
                raise OutOfStock(", ".join(short))
            for sku, count in wanted.items():
                self._units[sku] -= count
