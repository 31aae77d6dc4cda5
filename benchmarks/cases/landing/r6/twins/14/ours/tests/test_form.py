from form import submit
from subscribers import Subscribers


def test_submit_tidies_up():
    s = Subscribers()
    assert submit(s, {"email": " Ann@Example.org "}) == {"ok": True}
    assert "ann@example.org" in s


def test_bad_address():
    assert submit(Subscribers(), {"email": "x"})["ok"] is False
