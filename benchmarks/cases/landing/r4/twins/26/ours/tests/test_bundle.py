from articles import Article
from pricing import bundle


def test_bundle():
    got = bundle("set", Article("tea", 500, True), Article("cup", 1000))
    assert got == Article("set", 1350)
