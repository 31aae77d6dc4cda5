import unittest

from fetcher import Fetcher
from network import Network


class FetcherTest(unittest.TestCase):
    def setUp(self):
        self.settings = Network({"PROXY": "http://gate:80"}).settings()

    def test_by_proxy(self):
        found = Fetcher().route(self.settings["base_url"], proxies=self.settings["proxy"])
        self.assertEqual(found["hop"], "gate:80")

    def test_direct(self):
        self.assertEqual(Fetcher().route("http://a.example", "")["hop"], "a.example")
