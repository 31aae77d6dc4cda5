from course.booking import Booking, Status
from course.roster import roster


def test_refunded_has_no_chair():
    b = Booking("Ada", 9000)
    b.pay()
    b.refund()
    assert b.status is Status.REFUNDED
    assert roster([b]) == []
