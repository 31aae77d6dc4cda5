from mailer.render import render


def test_welcome():
    text = render("welcome", {"name": "Ann Lee", "mail": "a@x"})
    assert text.startswith("Hello Ann,") and "a@x" in text
