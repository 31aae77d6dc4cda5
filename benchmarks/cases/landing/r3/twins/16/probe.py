from work.queue import Queue

now = [0]
queue = Queue(lambda: now[0])
queue.retry({"name": "backup", "attempt": 1})
assert queue.due() == [], "retried at once"
now[0] = 30
assert queue.due() == [{"name": "backup", "attempt": 2}]
