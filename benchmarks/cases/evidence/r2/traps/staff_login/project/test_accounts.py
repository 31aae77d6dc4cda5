import pytest

from accounts import Directory, Shell


@pytest.mark.parametrize("name, home", [("Grace", "/home/grace"), ("Alan", "/home/alan")])
def test_home(name, home):
    login, _, _ = Directory().lookup(name).email.partition("@")
    assert Shell().create(login=login)["home"] == home
