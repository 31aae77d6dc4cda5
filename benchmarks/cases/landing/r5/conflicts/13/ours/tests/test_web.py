from web import pages
from web.router import dispatch, route


def test_private_unless_said():
    route("/draft")(lambda body: "x")
    assert dispatch("/draft")[0] == 401


def test_login():
    assert dispatch("/login") == (200, "form")


def test_account():
    assert dispatch("/account")[0] == 401
    assert dispatch("/account", user="ann") == (200, "yours")
