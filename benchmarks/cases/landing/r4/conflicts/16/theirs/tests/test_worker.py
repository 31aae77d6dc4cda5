from jobs import QueueEmpty
from worker import drain


class FakeQueue:
    def __init__(self, *jobs):
        self.jobs = list(jobs)

    def __len__(self):
        return len(self.jobs)

    def take(self):
        if not self.jobs:
            raise QueueEmpty
        return self.jobs.pop(0)


def test_drain():
    assert drain(FakeQueue("a", "b"), str.upper) == ["A", "B"]
