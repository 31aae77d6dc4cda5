import unittest

from rest import Router, Serializer


class RoutesTest(unittest.TestCase):
    def test_detail(self):
        data = Serializer().dump("lamp")
        self.assertEqual(Router().url(id=data["pk"]), {"url": "/api/items/4/"})


if __name__ == "__main__":
    unittest.main()
