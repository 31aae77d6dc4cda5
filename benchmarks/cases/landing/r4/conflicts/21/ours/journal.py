"""Append-only text files with a time stamp."""
import time


class Journal:
    def __init__(self, path, clock=time.time):
        self.path = path
        self.clock = clock
        self.closed = False
        self._lines = []

    def write(self, text):
        if self.closed:
            raise ValueError("journal is closed")
        self._lines.append(f"{self.clock():.0f} {text}\n")
        if len(self._lines) >= 100:
            self.flush()

    def flush(self):
        if self._lines:
            with open(self.path, "a", encoding="utf-8") as file:
                file.writelines(self._lines)
            self._lines.clear()

    def close(self):
        self.flush()
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()
