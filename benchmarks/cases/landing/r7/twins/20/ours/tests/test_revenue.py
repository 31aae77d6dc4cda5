from course.booking import Booking
from course.revenue import revenue


def test_only_what_was_paid():
    paid, open_, gone = Booking("Ada", 9000), Booking("Ben", 9000), Booking("Cyd", 9000)
    paid.pay()
    gone.cancel()
    assert revenue([paid, open_, gone]) == 9000
