from work.nightly import plan
from work.queue import Queue


def test_due():
    now = [0]
    queue = Queue(lambda: now[0])
    assert plan(queue, ["backup", "report"]) == 2
    assert [job["name"] for job in queue.due()] == ["backup"]
    now[0] = 3600
    assert [job["name"] for job in queue.due()] == ["report"]
    assert len(queue) == 0


def test_priority():
    queue = Queue(lambda: 0)
    queue.submit("low")
    queue.submit("high", priority=5)
    assert queue.due() == ["high", "low"]
