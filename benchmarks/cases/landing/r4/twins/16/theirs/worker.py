"""Runs what is queued."""


def drain(queue, run):
    """Run every job that waits; -> the results, in order."""
    results = []
    while len(queue):
        results.append(run(queue.take()))
    return results
