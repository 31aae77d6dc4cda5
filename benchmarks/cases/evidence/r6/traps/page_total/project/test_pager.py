import unittest

from pager import Pager
from search import SearchIndex


class PagerTest(unittest.TestCase):
    def test_one_page(self):
        hits = SearchIndex().query("ferries")["hits"]
        self.assertEqual(Pager().links(total=len(hits))["last"], 1)

    def test_middle(self):
        self.assertEqual(Pager().links(total=9, page=3)["pages"], [2, 3, 4])
