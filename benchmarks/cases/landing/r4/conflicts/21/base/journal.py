"""Append-only text files with a time stamp."""
import time


class Journal:
    def __init__(self, path, clock=time.time):
        self.path = path
        self.clock = clock
        self.closed = False

    def write(self, text):
        if self.closed:
            raise ValueError("journal is closed")
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(f"{self.clock():.0f} {text}\n")

    def close(self):
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()
