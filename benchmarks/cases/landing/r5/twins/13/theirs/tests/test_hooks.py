from web import hooks


def test_payment():
    assert hooks.payment('{"order": 5, "state": "paid"}') == "ok"
    assert 5 in hooks.PAID


def test_failed_payment():
    hooks.payment('{"order": 6, "state": "failed"}')
    assert 6 not in hooks.PAID
