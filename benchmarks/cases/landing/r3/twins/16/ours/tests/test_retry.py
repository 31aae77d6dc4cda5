from work.queue import Queue


def test_retry_counts_the_attempts():
    queue = Queue(lambda: 0)
    assert queue.retry({"name": "backup", "attempt": 1})
    assert len(queue) == 1


def test_gives_up():
    queue = Queue(lambda: 0)
    assert not queue.retry({"name": "backup", "attempt": 5})
    assert len(queue) == 0
