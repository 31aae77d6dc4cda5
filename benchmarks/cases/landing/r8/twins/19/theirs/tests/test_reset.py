from mailcheck import check_mail
from signup.mail import Outbox
from signup.reset import Reset
from signup.service import SignUp


def make():
    return Reset(SignUp(Outbox(), {"kim@mail.example": "Kim"}))


def test_token_works_once():
    reset = make()
    reset.ask("kim@mail.example")
    (token,) = reset.tokens
    assert reset.redeem(token) == "kim@mail.example"
    assert reset.redeem(token) is None


def test_token_is_mailed():
    reset = make()
    reset.ask("kim@mail.example")
    check_mail(reset.service.outbox, "kim@mail.example", "New password")
