import unittest

from jobs import Queue, job
from worker import step


class T(unittest.TestCase):
    def test_step(self):
        q = Queue()
        q.put(job("b", 20))
        q.put(job("a", 10))
        self.assertEqual([step(q, lambda j: None) for _ in range(3)], ["a", "b", None])

    def test_failed(self):
        q = Queue()
        i = q.put(job("x", 1))
        step(q, lambda j: 1 / 0)
        self.assertEqual(q.jobs[i]["state"], "failed")
