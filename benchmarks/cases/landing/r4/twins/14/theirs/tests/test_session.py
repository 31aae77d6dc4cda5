from session import open_session


def test_support():
    session = open_session("bob", support=True)
    assert session["roles"] == ["editor", "support"]
    assert session["user"] == "bob"
