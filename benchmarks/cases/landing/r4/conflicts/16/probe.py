from jobs import JobQueue
from worker import drain

queue = JobQueue()
queue.put("a")
assert drain(queue, lambda job: job.upper()) == ["A"]
