import pytest
import signup


@pytest.fixture
def problems(monkeypatch):
    found = []
    monkeypatch.setattr(signup, "check", lambda form: found)
    return found


def test_twice(problems):
    form = {"name": "Ann", "mail": "ann@example.org"}
    assert signup.signup(form)[0] == 201
    assert signup.signup(form)[0] == 409


def test_bad(problems):
    problems.append("name is missing")
    assert signup.signup({"mail": "x@example.org"})[0] == 400
