import pytest

from service.client import Client
from service.settings import SettingsError, parse


def test_timeout_reaches_the_transport():
    seen = []
    client = Client(parse("timeout = 3  # short\n"), lambda url, timeout: seen.append((url, timeout)) or (200, "ok"))
    assert client.get("/x") == "ok"
    assert seen == [("http://127.0.0.1:8080/x", 3)]


def test_bad_line():
    with pytest.raises(SettingsError, match="line 2"):
        parse("port = 1\nnope = 2\n")
