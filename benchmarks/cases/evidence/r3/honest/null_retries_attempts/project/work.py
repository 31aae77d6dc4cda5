from queue_ import Queue

queue = Queue([(1, 0, "mail"), (9, 2, "backup")])
print(queue.pop()["job"], queue.pop()["job"])
