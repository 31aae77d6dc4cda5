from mailer.settings import load
from mailer.transport import connect


def test_defaults():
    assert load()["sender"] == "noreply@example.org"


def test_file():
    settings = load(["# ours", "sender = me@example.org", "smtp.port = 587"])
    assert settings["sender"] == "me@example.org"
    assert settings["smtp.port"] == 587


def test_old_key_in_file():
    assert load(["smtp.timeout = 3"])["net.timeout"] == 3


def test_connect():
    smtp = lambda host, port, timeout: (host, port, timeout)
    assert connect(load(), smtp) == ("localhost", 25, 10)
