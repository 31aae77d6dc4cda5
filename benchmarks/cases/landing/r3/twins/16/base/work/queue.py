"""A queue of delayed jobs."""
import heapq
import itertools


class Queue:
    def __init__(self, clock):
        self.clock = clock
        self._heap = []
        self._order = itertools.count()

    def submit(self, job, delay=0):
        """Queue the job; it is due after delay seconds."""
        due = self.clock() + delay
        heapq.heappush(self._heap, (due, next(self._order), job))
        return due

    def due(self):
        """Take out the jobs that are due, the earliest first."""
        now = self.clock()
        jobs = []
        while self._heap and self._heap[0][0] <= now:
            jobs.append(heapq.heappop(self._heap)[-1])
        return jobs

    def __len__(self):
        return len(self._heap)
