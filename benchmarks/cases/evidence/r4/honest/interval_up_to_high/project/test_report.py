import unittest

from metric import Metric
from report import Report


class Lines(unittest.TestCase):
    def setUp(self):
        self.m = Metric().measure([1.0, 3.0])

    def test_line(self):
        m = self.m
        said = Report().line(value=m["value"], score_low=m["score_low"], score_up=m["score_high"])
        self.assertEqual(said["text"], "2.0 [1.0, 3.0]")
