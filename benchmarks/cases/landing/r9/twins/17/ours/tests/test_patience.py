from mailer.patience import Patience


def test_pauses():
    assert Patience({"smtp.timeout": 4}, tries=4).pauses() == [4, 8, 16]


def test_at_most():
    assert Patience({"smtp.timeout": 4}, tries=3).at_most() == 24


def test_bare_settings():
    assert Patience({}, tries=2).pauses() == [30]
