from client import Client
from settings import load


def test_default_wait():
    seen = []
    Client(load(), lambda path, wait: seen.append((path, wait))).get("/a")
    assert seen == [("/a", 30)]
