from orders import confirm


def test_confirm():
    assert "thanks" in confirm({"to": "a"})
