# queue of jobs in memory; the real one is a table
import itertools

_ids = itertools.count(1)


def job(name, created, prio=5):
    return {"id": next(_ids), "name": name, "created": created, "prio": prio, "state": "pending"}


class Queue:
    def __init__(self):
        self.jobs = {}

    def put(self, j):
        self.jobs[j["id"]] = j
        return j["id"]

    def pending(self):
        js = [j for j in self.jobs.values() if j["state"] == "pending"]
        # urgent ones (low prio) first
        return sorted(js, key=lambda j: (j["prio"], j["created"], j["id"]))

    def done(self, jid, ok=True):
        self.jobs[jid]["state"] = "done" if ok else "failed"
