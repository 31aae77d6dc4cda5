"""Runs submitted jobs in order, each only once."""


class Scheduler:
    def __init__(self):
        self._pending = []

    def submit(self, job):
        """Queue the job; False when the same job is waiting already."""
        if any(job.key() == other.key() for other in self._pending):
            return False
        self._pending.append(job)
        return True

    def run_pending(self):
        """Run all jobs submitted so far and return their results."""
        jobs, self._pending = self._pending, []
        return [job.run() for job in jobs]
