"""What runs each night."""

HOUR = 3600


def plan(queue, names):
    """Spread the jobs over the hours of the night."""
    for number, name in enumerate(names):
        queue.submit({"name": name, "attempt": 1}, delay=number * HOUR)
    return len(queue)
