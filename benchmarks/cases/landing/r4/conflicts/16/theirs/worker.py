"""Runs what is queued."""
from jobs import QueueEmpty


def drain(queue, run):
    """Run every job that waits; -> the results, in order."""
    results = []
    while True:
        try:
            job = queue.take()
        except QueueEmpty:
            return results
        results.append(run(job))
