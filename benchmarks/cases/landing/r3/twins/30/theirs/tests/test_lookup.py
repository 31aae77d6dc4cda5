from remote.client import Client
from remote.lookup import lookup


def answers(*pairs):
    left = list(pairs)
    return lambda path, **options: left.pop(0)


def test_second_try():
    client = Client(answers((503, None), (200, {"name": "bolt", "count": 4})))
    assert lookup(client, 7) == "bolt (4)"


def test_pause():
    slept = []
    client = Client(answers((503, None), (200, 1)), sleep=slept.append, retries=1)
    assert client.call("/", pause=3) == 1 and slept == [3]


def test_unknown():
    assert lookup(Client(answers((404, None))), 8) == "unknown"
