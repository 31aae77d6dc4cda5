import tickets


def ratio(items):
    hits = [t for t in items if t.state is tickets.State.OPEN]
    return len(hits) / max(1, len(items))
