# counts events in memory and sends the sums off
import threading


class Meter:
    def __init__(self, send):
        self.send = send
        self.lock = threading.Lock()
        self.counts = {}
        self.sent = 0

    def add(self, name, n=1):
        with self.lock:
            self.counts[name] = self.counts.get(name, 0) + n

    def flush(self):
        """Send the sums. Any thread may call this."""
        with self.lock:
            batch, self.counts = self.counts, {}
        if batch:
            self.send(batch)
            self.sent += 1
        return len(batch)
