from mailcheck import check_mail
from signup.mail import Outbox
from signup.service import SignUp


def test_welcome():
    box = Outbox()
    assert SignUp(box).register("kim@mail.example", "Kim")
    assert check_mail(box, "kim@mail.example", "Welcome")


def test_taken():
    box = Outbox()
    service = SignUp(box, {"kim@mail.example": "Kim"})
    assert not service.register("kim@mail.example", "Eve")
    assert check_mail(box, "kim@mail.example", "You have an account")
    assert not check_mail(box, "kim@mail.example", "Welcome")
