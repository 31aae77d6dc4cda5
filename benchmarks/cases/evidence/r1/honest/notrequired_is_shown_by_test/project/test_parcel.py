from parcel import Carrier, Mailer


def test_without_number():
    assert Mailer().body(**Carrier().ship("bike")) == {"body": "With bike"}


def test_with_number():
    assert Mailer().body(**Carrier().ship("UPS")) == {"body": "With UPS, number Z1"}
