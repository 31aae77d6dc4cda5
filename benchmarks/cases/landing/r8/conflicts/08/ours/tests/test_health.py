import unittest

from health import lag, status
from jobs import Queue, job


class T(unittest.TestCase):
    def test_lag(self):
        q = Queue()
        q.put(job("b", 200))
        q.put(job("a", 100))
        self.assertEqual(lag(q, 250), 150)

    def test_idle(self):
        self.assertEqual(lag(Queue(), 250), 0)

    def test_alarm(self):
        q = Queue()
        q.put(job("a", 100))
        self.assertEqual(status(q, 401), {"ok": False, "lag": 301, "states": {"pending": 1}})
