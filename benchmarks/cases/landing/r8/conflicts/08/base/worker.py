# takes jobs off the queue

def step(queue, run):
    """Run one job. Returns its name, or None when idle."""
    todo = queue.pending()
    if not todo:
        return None
    j = todo[0]
    try:
        run(j)
    except Exception:
        queue.done(j["id"], ok=False)
    else:
        queue.done(j["id"])
    return j["name"]
