import threading
import unittest

from meter import Meter
from web import Counter


class T(unittest.TestCase):
    def test_flush(self):
        out = []
        m = Meter(out.append)
        m.add("a")
        m.add("a", 2)
        self.assertEqual((m.flush(), m.flush()), (1, 0))
        self.assertEqual((out, m.sent), ([{"a": 3}], 1))

    def test_nothing_is_lost(self):
        out = []
        m = Meter(out.append)
        ts = [threading.Thread(target=lambda: [(m.add("x"), m.flush()) for _ in range(50)]) for _ in range(4)]
        for t in ts:
            t.start()
        for t in ts:
            t.join()
        m.flush()
        self.assertEqual(sum(b["x"] for b in out), 200)

    def test_web(self):
        m = Meter(None)
        Counter(lambda p: (503, ""), m)("/")
        self.assertEqual(m.counts, {"status.503": 1, "errors": 1})
