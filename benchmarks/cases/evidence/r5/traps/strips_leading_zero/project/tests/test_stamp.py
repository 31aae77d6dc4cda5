from mail.address import Address
from mail.stamp import Stamp


def test_address():
    assert Address().parse("02139 Cambridge")["zip"] == "02139"


def test_stamp():
    assert Stamp().print(zip=10115, town="Berlin") == {"text": "10115 Berlin (north)"}
