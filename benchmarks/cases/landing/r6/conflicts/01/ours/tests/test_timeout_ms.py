from client import Client
from settings import load


def test_short_timeout_in_milliseconds():
    client = Client(load({"timeout": 250}), None)
    assert client.wait_seconds() == 0.25
