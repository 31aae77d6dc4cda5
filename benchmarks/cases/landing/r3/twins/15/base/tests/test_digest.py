from alerts.digest import send_digest
from alerts.mailer import Mailer


def test_digest():
    box = []
    mailer = Mailer(lambda to, text: to != "bob" and not box.append(text))
    assert send_digest(mailer, ["ada", "bob"], ["disk full"]) == ["bob"]
    assert mailer.sent == 1
    assert box[0].endswith("Subject: digest\n\n- disk full")
