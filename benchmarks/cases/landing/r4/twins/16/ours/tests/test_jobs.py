from jobs import JobQueue


def test_priority():
    queue = JobQueue()
    queue.put("sweep")
    queue.put("alarm", priority=1)
    queue.put("dust")
    assert [queue.take() for _ in range(3)] == ["alarm", "sweep", "dust"]
    assert len(queue) == 0
