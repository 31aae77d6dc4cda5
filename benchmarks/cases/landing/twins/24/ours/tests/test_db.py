from db import path


def test_path():
    assert path('a') == '/var/a.db'
