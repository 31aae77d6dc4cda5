from web import pages
from web.router import dispatch


def test_login():
    assert dispatch("/login") == (200, "form")


def test_account():
    assert dispatch("/account")[0] == 401
    assert dispatch("/account", user="ann") == (200, "yours")
