from pages import show


def test_show():
    assert show("bob") == "nobody"
    assert show("ann") == "user 3"
