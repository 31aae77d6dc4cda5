# numbers for the dashboard, and the alarm

LIMIT = 300


def lag(queue, now):
    """Seconds the oldest pending job has waited."""
    todo = queue.pending()
    if not todo:
        return 0
    return now - min(j["created"] for j in todo)


def status(queue, now):
    wait = lag(queue, now)
    states = {}
    for j in queue.jobs.values():
        states[j["state"]] = states.get(j["state"], 0) + 1
    return {"ok": wait <= LIMIT, "lag": wait, "states": states}
