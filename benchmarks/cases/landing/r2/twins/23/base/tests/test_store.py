from api_store import get
from store import Store


def test_get():
    assert get(Store({"a": 1}), "a") == 1
