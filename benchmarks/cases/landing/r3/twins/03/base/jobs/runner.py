"""Runs jobs one after the other and tells the bus about them."""
import time


class Runner:
    def __init__(self, bus, clock=time.monotonic):
        self.bus = bus
        self.clock = clock

    def run(self, name, work):
        started = self.clock()
        self.bus.emit("job.started", {"job": name})
        try:
            work()
            outcome = "ok"
        except Exception as error:
            outcome = type(error).__name__
        self.bus.emit("job.finished", {"job": name, "outcome": outcome, "seconds": self.clock() - started})
        return outcome


class Audit:
    """One text line for each finished job."""

    def __init__(self, bus):
        self.lines = []
        bus.on("job.finished", self.finished)

    def finished(self, payload):
        self.lines.append(f"{payload['job']}: {payload['outcome']} in {payload['seconds']:.1f}s")
