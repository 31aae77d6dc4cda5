"""Runs submitted jobs in order."""


class Scheduler:
    def __init__(self):
        self._pending = []

    def submit(self, job):
        self._pending.append(job)

    def run_pending(self):
        """Run all jobs submitted so far and return their results."""
        jobs, self._pending = self._pending, []
        return [job.run() for job in jobs]
