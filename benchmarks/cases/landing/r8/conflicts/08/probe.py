from health import status
from jobs import Queue, job

q = Queue()
q.put(job("starved", 0, prio=9))
q.put(job("fresh", 990, prio=1))
s = status(q, 1000)
assert s["lag"] == 1000 and not s["ok"], s
assert q.pending()[0]["name"] == "fresh"
