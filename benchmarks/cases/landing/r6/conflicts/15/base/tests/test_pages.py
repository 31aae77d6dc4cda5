import pages
from web import dispatch


def test_home_is_public():
    assert dispatch("/") == (200, "welcome")


def test_account():
    assert dispatch("/account")[0] == 401
    assert dispatch("/account", "ann") == (200, "account of ann")
