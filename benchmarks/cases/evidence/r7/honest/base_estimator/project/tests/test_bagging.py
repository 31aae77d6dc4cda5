import unittest

from ensemble.bagging import Bagging
from ensemble.registry import Registry


class BaggingTest(unittest.TestCase):
    def setUp(self):
        self.registry = Registry()
        self.bagging = Bagging(n=1)

    def test_each(self):
        for shape, tree in {"wide": "ridge#0", "tall": "cart#0"}.items():
            with self.subTest(shape=shape):
                picked = self.registry.pick(shape)
                fitted = self.bagging.fit(base_estimator=picked["estimator"])
                self.assertEqual(fitted["trees"], [tree])
