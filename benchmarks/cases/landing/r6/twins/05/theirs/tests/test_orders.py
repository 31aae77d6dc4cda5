from bus import Bus
from mailer import Mailer
from orders import place


def test_mail_goes_out():
    bus = Bus()
    mailer = Mailer(bus)
    place(bus, 7, "ann", 20)
    assert mailer.sent == ["Thank you, ann"]
