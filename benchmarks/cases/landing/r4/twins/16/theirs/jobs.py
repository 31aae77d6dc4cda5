"""A queue of jobs with priorities."""
import heapq
import itertools


class QueueEmpty(Exception):
    pass


class JobQueue:
    def __init__(self):
        self._heap = []
        self._order = itertools.count()

    def put(self, job, priority=5):
        heapq.heappush(self._heap, (priority, next(self._order), job))

    def take(self):
        """The most urgent job; QueueEmpty when there is none."""
        if not self._heap:
            raise QueueEmpty
        return heapq.heappop(self._heap)[2]

    def __len__(self):
        return len(self._heap)
