import pytest

from course.booking import Booking, Status
from course.roster import roster


def test_life_of_a_booking():
    b = Booking("Ada", 9000)
    b.pay()
    b.attend()
    assert b.status is Status.ATTENDED
    with pytest.raises(ValueError):
        b.cancel()


def test_roster():
    ada, ben = Booking("Ada", 9000), Booking("Ben", 9000)
    ada.pay()
    assert roster([ben, ada]) == ["Ada"]
