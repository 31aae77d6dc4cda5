import pytest

from directory import Directory
from mailer import Mailer


def test_deliver():
    assert Mailer().deliver(address="ada@example.org")["sent"]


def test_a_uid_is_no_address():
    with pytest.raises(ValueError):
        Mailer().deliver(address=Directory().lookup("Ada")["uid"])
