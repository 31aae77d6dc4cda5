import unittest

from layers import LayerJoin
from survey import Survey


class LayersTest(unittest.TestCase):
    def test_touching(self):
        plan = Survey().plan("roads")
        found = LayerJoin().match(op=plan["predicate"])
        self.assertEqual([tree for tree, _ in found["hits"]], ["elm", "elm"])

    def test_unknown(self):
        with self.assertRaises(KeyError):
            LayerJoin().match("near")
