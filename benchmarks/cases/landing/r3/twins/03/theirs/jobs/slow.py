"""Keeps the slowest jobs of the day."""


class SlowJobs:
    def __init__(self, bus, limit=60.0, keep=5):
        self.limit = limit
        self.keep = keep
        self.found = []
        bus.on("job.finished", self.finished)

    def finished(self, payload):
        taken = payload["seconds"]
        if taken < self.limit:
            return
        self.found.append((taken, payload["job"]))
        self.found.sort(reverse=True)
        del self.found[self.keep:]

    def names(self):
        return [job for _, job in self.found]
