from web.cache import Cache
from web.sessions import Sessions


def test_open_and_read():
    sessions = Sessions(Cache())
    token = sessions.open("ada")
    assert sessions.user(token) == "ada"
    assert sessions.user("other") is None


def test_close():
    sessions = Sessions(Cache())
    token = sessions.open("ada")
    assert sessions.close(token) and not sessions.close(token)
    assert sessions.user(token) is None


def test_expires():
    now = [0.0]
    sessions = Sessions(Cache(lambda: now[0]))
    token = sessions.open("ada")
    now[0] = 1900.0
    assert sessions.user(token) is None
