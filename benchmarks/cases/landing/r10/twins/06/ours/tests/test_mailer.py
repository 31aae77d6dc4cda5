from mailer import Mailer


def test_dry_run_sends_nothing():
    out = []
    text = Mailer(lambda to, t: out.append(to), "me@x.org").send("a@x.org", "Hi", "Text", dry_run=True)
    assert "Subject: Hi" in text
    assert out == []


def test_send():
    out = []
    Mailer(lambda to, t: out.append(to), "me@x.org").send("a@x.org", "Hi", "Text", dry_run=False)
    assert out == ["a@x.org"]
